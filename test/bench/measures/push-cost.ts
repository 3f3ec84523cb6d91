import { inTurn, type Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import { median } from '../statistics.ts';

const FEW = 20;
const MANY = 5000;
const PER_SECOND = 50;

/** What the main thread works for a push to a card in view, all in: script, layout, painting. */
export async function pushCost({ bench, gateways, rounds, quick }: Setting): Promise<Row[]> {
  const pushes = quick ? 50 : 200;
  const servers = {
    few: await gateways.start({ count: FEW, all: 'connected' }),
    many: await gateways.start({ count: MANY, all: 'connected' }),
  };
  const costs = await inTurn(quick ? 1 : rounds, async (page) => {
    const cost = async (gateway: (typeof servers)['few']) =>
      bench.visit(gateway.url, page, async (visit) => {
        await visit.settled();
        const states = Array.from({ length: pushes }, (_, index) =>
          index % 2 === 0 ? 'OPENING' : 'CONNECTED',
        );
        const numero = gateway.numeros[0] ?? '';
        const before = await visit.work();
        await gateway.push(
          states.map((state) => ({ event: 'change_state', numero, state })),
          PER_SECOND,
        );
        // What is gathered first comes after.
        await new Promise((resolve) => setTimeout(resolve, 1500));
        const after = await visit.work();
        return {
          all: ((after.all - before.all) * 1000) / pushes,
          script: ((after.script - before.script) * 1000) / pushes,
        };
      });
    return { few: await cost(servers.few), many: await cost(servers.many) };
  });
  const grown = (page: typeof costs.floor, what: 'all' | 'script') =>
    median(page.map(({ many }) => many[what])) / median(page.map(({ few }) => few[what]));
  const each = (page: typeof costs.floor) => ({
    'all, few': median(page.map(({ few }) => few.all)),
    'all, many': median(page.map(({ many }) => many.all)),
    'script, few': median(page.map(({ few }) => few.script)),
    'script, many': median(page.map(({ many }) => many.script)),
  });
  return (['all', 'script'] as const).map((what) => ({
    what: `work for a push${what === 'all' ? '' : ', script alone'}, with 5,000 sessions against 20`,
    unit: '×',
    floor: grown(costs.floor, what),
    panel: grown(costs.panel, what),
    goal: { of: 'value', at: 'most', limit: 1.3 },
    parts: each(costs.panel),
    floorParts: each(costs.floor),
  }));
}
