import { randomBytes } from 'node:crypto';
import { createCode } from '../../../gateway/src/engines/simulated/codes.ts';
import type { Push } from '../../../gateway/src/sessions/transitions.ts';
import { inTurn, type Setting } from '../comparison.ts';
import type { Row } from '../row.ts';
import { percentile } from '../statistics.ts';

const KINDS = { state: 'another state', code: 'another code' } as const;

/** From a push's arrival in the page to the card that shows it, on the screen, among 20 sessions with codes. */
export async function push({ bench, gateways, rounds, quick }: Setting): Promise<Row[]> {
  const gateway = await gateways.start({ count: 20, all: 'codes' });
  const samples = quick ? 20 : 60;
  const times = await inTurn(rounds, (page) =>
    bench.visit(gateway.url, page, async (visit) => {
      await visit.settled();
      const measured = { state: [] as number[], code: [] as number[] };
      for (let count = 0; count < samples; count += 1) {
        for (const kind of ['state', 'code'] as const) {
          const painted = visit.page.evaluate((what) => globalThis.bench.pushPainted(what), kind);
          // At any moment between two frames, and not always at the same.
          await new Promise((resolve) => setTimeout(resolve, 20 + (randomBytes(1)[0] ?? 0) / 8));
          await gateway.push([pushOf(kind, gateway.numeros[0] ?? '', count)]);
          measured[kind].push(await painted);
        }
      }
      return measured;
    }),
  );
  return (['state', 'code'] as const).flatMap((kind) => {
    const all = {
      floor: times.floor.flatMap((one) => one[kind]),
      panel: times.panel.flatMap((one) => one[kind]),
    };
    return (
      [
        ['median', 0.5],
        ['p99', 0.99],
      ] as const
    ).map(
      ([name, share]): Row => ({
        what: `push received to painted, ${KINDS[kind]}, ${name}`,
        unit: 'ms',
        floor: percentile(all.floor, share),
        panel: percentile(all.panel, share),
        goal: { of: 'ratio', at: 'most', limit: 1.3 },
      }),
    );
  });
}

/** A state follows a code, and a code a state: each of them is news. */
function pushOf(kind: 'state' | 'code', numero: string, count: number): Push {
  if (kind === 'code') return { event: 'qr', numero, code: createCode() };
  return { event: 'change_state', numero, state: count % 2 === 0 ? 'OPENING' : 'PAIRING' };
}
