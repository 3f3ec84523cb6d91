import { Child } from '../child.ts';
import { now } from '../now.ts';
import { Delays } from './delays.ts';
import type { GatewayCalls, Pace, Traffic } from './gateway-process.ts';
import type { Load } from './load.ts';
import type { PanelsCalls } from './panels-process.ts';

const GATEWAY = new URL('gateway-process.ts', import.meta.url);
const PANELS = new URL('panels-process.ts', import.meta.url);

export interface PushCase extends Pace {
  readonly sessions: number;
  readonly panels: number;
}

export interface PushResult extends PushCase {
  readonly gateway: Load;
  /** The process that plays the panels: where it has no time left, the delays are its own. */
  readonly player: Load;
  /** From when a push was due to when a panel had it, in milliseconds. */
  readonly delay: { readonly median: number; readonly p99: number; readonly max: number };
  readonly lost: number;
  readonly repeated: number;
  readonly late: number;
}

export interface RestartResult {
  readonly sessions: number;
  readonly panels: number;
  /** From the kill to the gateway listening again, in milliseconds. */
  readonly down: number;
  /** From the gateway listening again until this many panels had their list, in milliseconds. */
  readonly back: { readonly first: number; readonly median: number; readonly last: number };
  readonly gateway: Load;
  readonly traffic: Traffic;
  /** Lists that a panel asked for in vain. */
  readonly failed: number;
  /** Of all lists together. */
  readonly bytes: number;
}

/** Pushes at an even pace to panels that are all connected. */
export async function pushes(
  { sessions, panels, rate, seconds }: PushCase,
  gatewayOptions: readonly string[] = [],
): Promise<PushResult> {
  const gateway = new Child<GatewayCalls>(GATEWAY, gatewayOptions);
  const player = new Child<PanelsCalls>(PANELS);
  try {
    const port = await gateway.ask('start', { port: 0, sessions });
    const total = rate * seconds;
    await player.ask('listen', { url: `http://127.0.0.1:${port}`, count: panels, pushes: total });
    await gateway.ask('watch');
    await gateway.ask('push', { rate, seconds });
    const [gatewayLoad, playerLoad] = await Promise.all([gateway.ask('load'), player.ask('load')]);
    const { delays: counts, ...counted } = await player.ask('heard', total);
    const delays = new Delays();
    delays.addAll(counts);
    const delay = { median: delays.quantile(0.5), p99: delays.quantile(0.99), max: delays.quantile(1) };
    return { sessions, panels, rate, seconds, gateway: gatewayLoad, player: playerLoad, delay, ...counted };
  } finally {
    await player.end();
    await gateway.end('SIGTERM');
  }
}

/** Kills a gateway that has panels, and starts another in its place. */
export async function restart(
  sessions: number,
  panels: number,
  gatewayOptions: readonly string[] = [],
): Promise<RestartResult> {
  const first = new Child<GatewayCalls>(GATEWAY);
  const player = new Child<PanelsCalls>(PANELS);
  let second: Child<GatewayCalls> | undefined;
  try {
    const port = await first.ask('start', { port: 0, sessions });
    await player.ask('open', { url: `http://127.0.0.1:${port}`, count: panels });
    const killed = now();
    await first.end();
    second = new Child<GatewayCalls>(GATEWAY, gatewayOptions);
    await second.ask('start', { port, sessions });
    const listening = now();
    await second.ask('watch');
    const { at, failed, bytes } = await player.ask('back', sessions);
    const traffic = await second.ask('traffic');
    const load = await second.ask('load');
    const times = at.map((time) => time - listening).sort((a, b) => a - b);
    const nth = (share: number) => times[Math.round(share * (times.length - 1))] ?? Number.NaN;
    return {
      sessions,
      panels,
      down: listening - killed,
      back: { first: nth(0), median: nth(0.5), last: nth(1) },
      gateway: load,
      traffic,
      failed,
      bytes,
    };
  } finally {
    await player.end();
    await second?.end('SIGTERM');
  }
}
