import type { Row } from './scene.ts';
import type { TrafficResult } from './traffic.ts';

/** Returns a table of Markdown for each situation. Where numbers of sessions differ in a figure, a cell has that of each. */
export function tablesOf(results: readonly TrafficResult[]): string {
  const sessions = results.map((result) => result.sessions.toLocaleString('en'));
  const names = Object.keys(results[0]?.situations ?? {});
  const tables = names.map((name) => {
    const columns = results.map(({ situations }) => situations[name] ?? []);
    const lines = columns[0]?.map((_, line) => lineOf(columns.flatMap((rows) => rows[line] ?? []))) ?? [];
    return [`| ${name} | requests | bytes to the panel | from it |`, '| --- | --: | --: | --: |', ...lines];
  });
  return [[`With ${sessions.join(' / ')} sessions:`], ...tables]
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** @param rows the same one for each number of sessions */
function lineOf(rows: readonly Row[]): string {
  const each = (figure: (row: Row) => string) => [...new Set(rows.map(figure))].join(' / ');
  const cells = [
    each(({ what }) => what),
    each(({ requests }) => `${requests}`),
    each(({ toPanel }) => bytes(toPanel)),
    each(({ fromPanel }) => bytes(fromPanel)),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Two digits: the others depend on names, times, and whether a ping came meanwhile. */
function bytes(count: number): string {
  const rounded = Number(count.toPrecision(2));
  return rounded < 1_000 ? `${rounded}` : `${rounded / 1_000} kB`;
}
