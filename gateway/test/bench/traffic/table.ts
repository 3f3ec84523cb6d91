import type { TrafficResult } from './traffic.ts';

const COUNTED = ['requests', 'bytes to the panel', 'from the panel'];

/** Returns a table of Markdown for each situation: three columns for each number of sessions. */
export function tablesOf(results: readonly TrafficResult[]): string {
  const [first] = results;
  if (!first) return '';
  const columns = results.flatMap(({ sessions }) =>
    COUNTED.map((what, index) => (index === 0 ? `${sessions.toLocaleString('en')} sessions: ${what}` : what)),
  );
  const tables = Object.entries(first.situations).map(([name, rows]) => {
    const lines = rows.map(({ what }, line) => [
      what,
      ...results.flatMap(({ situations }) => {
        const { requests = 0, toPanel = 0, fromPanel = 0 } = situations[name]?.[line] ?? {};
        return [`${requests}`, bytes(toPanel), bytes(fromPanel)];
      }),
    ]);
    return [[name, ...columns], ['---', ...columns.map(() => '--:')], ...lines]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n');
  });
  return tables.join('\n\n');
}

/** Two digits: the others depend on names, times, and whether a ping came meanwhile. */
function bytes(count: number): string {
  const rounded = Number(count.toPrecision(2));
  return rounded < 1_000 ? `${rounded}` : `${rounded / 1_000} kB`;
}
