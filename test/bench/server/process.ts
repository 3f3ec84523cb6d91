/** The server of the benchmark, in a process of its own: it shares no event loop with what drives the browser. */

import { createSeeds, type Seed } from '../../../gateway/src/engines/simulated/seeds.ts';
import { createGateway } from '../../../gateway/src/gateway.ts';
import { eventOf } from '../../../gateway/src/push/audience.ts';
import type { Push } from '../../../gateway/src/sessions/transitions.ts';
import type { WireSession } from '../../../src/wire.ts';
import { announceOnly } from '../../support/gateway-lab.ts';
import { answerParent } from '../child.ts';
import { now } from '../now.ts';
import { servePages } from '../pages.ts';

/** The sessions of a gateway: the demo's mixture, of which every tenth has a code, or all of them alike. */
export interface Sessions {
  readonly count: number;
  readonly all: 'mixed' | 'codes' | 'connected';
  /** Without extensions. */
  readonly plain: boolean;
}

/** Sent in their order. */
interface Pushes {
  readonly url: string;
  readonly pushes: readonly Push[];
  readonly perSecond: number;
}

/** Simulated phones do nothing by themselves: every push is one of the benchmark's. */
const standstill = { after: () => () => {}, at: () => Date.now() };

const gateways = new Map<string, ReturnType<typeof createGateway>>();

const calls = {
  /** Gives its address. */
  async start(sessions: Sessions): Promise<string> {
    const gateway = createGateway({ port: 0, sessions: seedsOf(sessions), clock: standstill });
    if (sessions.plain) makePlain(gateway);
    await servePages(gateway.app);
    const url = await gateway.listen();
    gateways.set(url, gateway);
    return url;
  },

  /** Gives the moment of the last, by {@link now}. */
  async push({ url, pushes, perSecond }: Pushes): Promise<number> {
    const gateway = gateways.get(url);
    if (!gateway) throw new Error(`There is no gateway at ${url}`);
    await pushAll(gateway, pushes, perSecond);
    return now();
  },
};

/** Leaves of a gateway what the plain contract has: no announcement, and no details in the list. */
function makePlain(gateway: ReturnType<typeof createGateway>): void {
  announceOnly(gateway, []);
  gateway.app.addHook('preSerialization', async ({ url }, _reply, payload) => {
    if (url !== '/api/session/sessions' || !Array.isArray(payload)) return payload;
    return payload.map(({ numero, state, qrCode, waiting }: WireSession) => ({
      numero,
      state,
      qrCode,
      waiting,
    }));
  });
}

function seedsOf({ count, all }: Sessions): readonly Seed[] {
  const seeds = createSeeds(count);
  // But for what turns all the time: then no moment is quiet enough to begin a measure.
  if (all === 'mixed')
    return seeds.map((seed) =>
      seed.state === 'waiting' || seed.state === 'linking' ? { ...seed, state: 'connected' } : seed,
    );
  return seeds.map(({ numero }) => ({ numero, state: all === 'codes' ? 'qr' : 'connected' }));
}

/** Sends them evenly over time, catching up where a timer came late. */
async function pushAll(
  { io }: ReturnType<typeof createGateway>,
  pushes: readonly Push[],
  perSecond: number,
): Promise<void> {
  const begun = performance.now();
  let sent = 0;
  for (;;) {
    const due = Math.min(pushes.length, 1 + Math.floor(((performance.now() - begun) / 1000) * perSecond));
    for (const push of pushes.slice(sent, due)) io.emit(...eventOf(push));
    sent = due;
    if (sent === pushes.length) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export type ServerCalls = typeof calls;

answerParent(calls);
