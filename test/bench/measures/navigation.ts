import { inTurn, type Setting, takeTurns } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

/** Codes are drawn once the first cards are painted, on both pages. */
const FIRST_CODE = 1.4;

const LISTS = [
  { count: 20, limit: 1.2 },
  { count: 1000, limit: 0.9 },
  { count: 5000, limit: 0.4 },
];

/** From the navigation to the first card, and to the code on it, every session having one. */
export async function navigation(setting: Setting): Promise<Row[]> {
  const { bench, gateways, rounds } = setting;
  const rows: Row[] = [];
  for (const { count, limit } of LISTS) {
    const { url } = await gateways.start({ count, all: 'codes' });
    const times = await inTurn(rounds, (page) =>
      bench.visit(url, page, async (visit) => ({
        card: await visit.firstCard(),
        code: await visit.firstCode(),
      })),
    );
    const row = (what: 'card' | 'code', most: number): Row => ({
      what: `navigation to first ${what}, ${count.toLocaleString('en')} sessions with a code each`,
      unit: 'ms',
      floor: median(times.floor.map((time) => time[what])),
      panel: median(times.panel.map((time) => time[what])),
      goal: { of: 'ratio', at: 'most', limit: most },
    });
    rows.push(row('card', limit), row('code', FIRST_CODE));
  }
  rows.push(await firstRow(setting));
  return rows;
}

/** From the navigation to the first row of the list view, against the first card: the one must be there as soon as the other. */
async function firstRow({ bench, gateways, rounds }: Setting): Promise<Row> {
  const { url } = await gateways.start({ count: 5000, all: 'connected' });
  const first = await takeTurns(rounds, ['panel', 'list'], (page) =>
    bench.visit(url, page, (visit) => visit.firstCard()),
  );
  return {
    what: 'navigation to first row of 5,000 in the list view, against the first card',
    unit: 'ms',
    floor: median(first.panel),
    panel: median(first.list),
    goal: { of: 'ratio', at: 'most', limit: 1.05 },
  };
}
