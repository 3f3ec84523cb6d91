import { inTurn, type Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const LISTS = [
  { count: 20, limit: 2 },
  { count: 1000, limit: 2.3 },
  { count: 5000, limit: 3 },
];

/** From the navigation to the first card with its code, every session having one. */
export async function navigation({ bench, gateways, rounds }: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { count, limit } of LISTS) {
    const { url } = await gateways.start({ count, all: 'codes' });
    const times = await inTurn(rounds, (page) => bench.visit(url, page, (visit) => visit.firstCode()));
    rows.push({
      what: `navigation to first card, ${count.toLocaleString('en')} sessions with a code each`,
      unit: 'ms',
      floor: median(times.floor),
      panel: median(times.panel),
      goal: { of: 'ratio', at: 'most', limit },
    });
  }
  return rows;
}
