import { isMet, type Row, ratioOf } from './row.ts';

const HEAD = ['what', 'floor', 'panel', 'ratio', 'goal', 'met'];

/** The rows as a table of Markdown. */
export function table(rows: readonly Row[]): string {
  const cells = [HEAD, HEAD.map((_, column) => (column === 0 ? '---' : '--:')), ...rows.map(cellsOf)];
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** What the rows in kB are made of, the largest part first. */
export function notes(rows: readonly Row[]): string {
  return rows
    .flatMap(({ what, unit, parts }) => (unit === 'kB' && parts ? `${what}: ${partsOf(parts)}` : []))
    .join('\n');
}

function partsOf(parts: NonNullable<Row['parts']>): string {
  const named = Object.entries(parts).map(([name, kB]) => `${name} ${kB.toFixed(1)}`);
  return `${named.join(', ')} kB`;
}

function cellsOf(row: Row): string[] {
  const { what, unit, floor, panel, goal } = row;
  const ratio = ratioOf(row);
  const sign = goal.at === 'most' ? '≤' : '≥';
  const limit = goal.of === 'ratio' ? amount(goal.limit, '×') : amount(goal.limit, unit);
  return [
    what,
    floor === undefined ? '' : amount(floor, unit),
    amount(panel, unit),
    ratio !== undefined && Number.isFinite(ratio) ? amount(ratio, '×') : '',
    `${sign} ${limit}`,
    isMet(row) ? 'yes' : 'no',
  ];
}

function amount(value: number, unit: Row['unit']): string {
  const digits =
    unit === '×' ? 2 : value < 10 && !Number.isInteger(value) ? 2 : value < 100 && unit !== '' ? 1 : 0;
  const text = value.toLocaleString('en', { maximumFractionDigits: digits });
  if (unit === '×') return `${text}×`;
  return unit === '' ? text : `${text} ${unit}`;
}
