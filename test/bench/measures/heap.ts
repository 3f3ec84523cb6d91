import { inTurn, type Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const MB = 1_000_000;
const WARM_UP = 20;

const LISTS = [
  { count: 1000, limit: 7 },
  { count: 5000, limit: 20 },
];

/** What scripts keep of thousands of sessions, and of panels that are gone; without a slower processor, which it is no matter of. */
export async function heap({ bench, gateways, rounds, quick }: Setting): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { count, limit } of LISTS) {
    const { url } = await gateways.start({ count, all: 'mixed' });
    const heaps = await inTurn(rounds, async (page) => {
      const bare = await bench.visit(url, 'bare', (visit) => visit.heap(), { slowdown: 1 });
      return bench.visit(
        url,
        page,
        async (visit) => {
          await visit.settled();
          return ((await visit.heap()) - bare) / MB;
        },
        { slowdown: 1 },
      );
    });
    rows.push({
      what: `heap with ${count.toLocaleString('en')} sessions`,
      unit: 'MB',
      floor: median(heaps.floor),
      panel: median(heaps.panel),
      goal: { of: 'value', at: 'most', limit },
    });
  }
  const mounts = quick ? 100 : 1000;
  const few = await gateways.start({ count: 4, all: 'mixed' });
  const kept = await bench.visit(
    few.url,
    'panel',
    async (visit) => {
      await visit.page.evaluate(() => globalThis.bench.remove());
      const mountAndRemove = (times: number) =>
        visit.page.evaluate(async (count) => {
          for (let time = 0; time < count; time += 1) {
            await globalThis.bench.mount();
            await globalThis.bench.remove();
          }
        }, times);
      await mountAndRemove(WARM_UP);
      const before = await visit.heap();
      await mountAndRemove(mounts);
      return ((await visit.heap()) - before) / MB;
    },
    { slowdown: 1 },
  );
  return [
    ...rows,
    {
      what: `heap kept after ${mounts.toLocaleString('en')} mounts and removals`,
      unit: 'MB',
      panel: kept,
      // Code that the engine compiles meanwhile, by a comparison of heap snapshots: of the panel there is nothing. If
      // panels were kept, it would be a hundred times as much.
      goal: { of: 'value', at: 'most', limit: 1 },
    },
  ];
}
