import { type Setting, takeTurns } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const NETWORKS = [
  { slowNetwork: false, suffix: '' },
  { slowNetwork: true, suffix: ', slow 4G' },
];

/** From the navigation to the first card, against the [leanest page in React](../lean/lean.tsx) with the same packages. */
export async function lean({ bench, gateways, rounds }: Setting): Promise<Row[]> {
  const { url } = await gateways.start({ count: 20, all: 'codes' });
  const rows: Row[] = [];
  for (const { slowNetwork, suffix } of NETWORKS) {
    const first = await takeTurns(rounds, ['lean', 'panel'], (page) =>
      bench.visit(url, page, (visit) => visit.firstCard(), { slowNetwork }),
    );
    rows.push({
      what: `navigation to first card of 20, against the leanest React page${suffix}`,
      unit: 'ms',
      floor: median(first.lean),
      panel: median(first.panel),
      goal: { of: 'ratio', at: 'most', limit: 1.1 },
    });
  }
  return rows;
}
