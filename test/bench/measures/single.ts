import { type Setting, takeTurns } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const MB = 1_000_000;

/** A panel of one number, from the navigation to its code, against the [leanest page in React](../lean/lean.tsx); and twenty. */
export async function single({ bench, gateways, rounds }: Setting): Promise<Row[]> {
  const one = await gateways.start({ count: 1, all: 'codes' });
  const first = await takeTurns(rounds, ['lean', 'single'], (page) =>
    bench.visit(one.url, page, ({ page }) => page.evaluate(() => globalThis.bench.firstCode)),
  );
  const twenty = await gateways.start({ count: 20, all: 'mixed' });
  const heaps = await takeTurns(rounds, ['bare', 'twenty'], (page) =>
    bench.visit(
      twenty.url,
      page,
      async (visit) => {
        if (page !== 'bare') await visit.settled();
        return (await visit.heap()) / MB;
      },
      { slowdown: 1 },
    ),
  );
  return [
    {
      what: 'navigation to the code of one number, against the leanest React page',
      unit: 'ms',
      floor: median(first.lean),
      panel: median(first.single),
      goal: { of: 'ratio', at: 'most', limit: 1 },
    },
    {
      what: 'heap of twenty panels of one number each',
      unit: 'MB',
      panel: median(heaps.twenty) - median(heaps.bare),
      goal: { of: 'value', at: 'most', limit: 6 },
    },
  ];
}
