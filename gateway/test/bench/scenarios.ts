import { Child } from '../../../test/bench/child.ts';
import { now } from '../../../test/bench/now.ts';
import { slope } from '../../../test/bench/statistics.ts';
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
  /** The panels' process: when it is busy, the delays are its own. */
  readonly player: Load;
  /** From when a push was due until a panel had it, in milliseconds. */
  readonly delay: { readonly median: number; readonly p99: number; readonly max: number };
  readonly lost: number;
  readonly repeated: number;
  readonly late: number;
}

export interface SlowCase {
  readonly sessions: number;
  readonly slow: number;
  readonly panels: number;
  /** Pushes per second. */
  readonly rate: number;
  readonly minutes: number;
}

export interface SlowResult extends SlowCase {
  /** The gateway's resident memory in bytes: before the first push, and its peak in each minute. */
  readonly memory: readonly number[];
  /**
   * Memory growth from the third minute on, in bytes per minute; undefined without two such minutes. Before, the
   * operating system's buffers fill up, and the garbage collector keeps what one round of closed panels had.
   */
  readonly growth: number | undefined;
  /** How often a slow consumer was closed. */
  readonly closed: number;
  readonly cpu: number;
  /** Of the other panels, as in {@link PushResult}. */
  readonly delay: PushResult['delay'];
  readonly lost: number;
  readonly repeated: number;
  readonly late: number;
}

export interface RestartResult {
  readonly sessions: number;
  readonly panels: number;
  /** From the kill until the gateway listens again, in milliseconds. */
  readonly down: number;
  /** From then until this many panels had their list, in milliseconds. */
  readonly back: { readonly first: number; readonly median: number; readonly last: number };
  readonly gateway: Load;
  readonly traffic: Traffic;
  /** Failed list requests. */
  readonly failed: number;
  /** Of all lists together. */
  readonly bytes: number;
}

/** Pushes at an even pace to connected panels. */
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
    const loads = { gateway: gatewayLoad, player: playerLoad };
    return { sessions, panels, rate, seconds, ...loads, delay: delayOf(counts), ...counted };
  } finally {
    await player.end();
    await gateway.end('SIGTERM');
  }
}

/** Pushes at an even pace to panels, some of which have stopped reading. */
export async function slowConsumers(
  { sessions, slow, panels, rate, minutes }: SlowCase,
  gatewayOptions: readonly string[] = [],
): Promise<SlowResult> {
  const gateway = new Child<GatewayCalls>(GATEWAY, gatewayOptions);
  const player = new Child<PanelsCalls>(PANELS);
  try {
    const url = `http://127.0.0.1:${await gateway.ask('start', { port: 0, sessions })}`;
    const seconds = 60;
    const total = rate * seconds * minutes;
    await player.ask('listen', { url, count: panels, pushes: total });
    await player.ask('connectSlow', { url, count: slow });
    await gateway.ask('watch');
    const memory = [(await gateway.ask('load')).memory];
    let cpu = 0;
    for (let minute = 0; minute < minutes; minute += 1) {
      await gateway.ask('watch');
      await gateway.ask('push', { rate, seconds, before: minute * rate * seconds });
      const load = await gateway.ask('load');
      memory.push(load.memory);
      cpu += load.cpu / minutes;
    }
    const { delays: counts, ...counted } = await player.ask('heard', total);
    const closed = await player.ask('closed');
    const growth = minutes > 3 ? slope(memory.slice(3)) : undefined;
    const delay = delayOf(counts);
    return { sessions, slow, panels, rate, minutes, memory, growth, closed, cpu, delay, ...counted };
  } finally {
    await player.end();
    await gateway.end('SIGTERM');
  }
}

function delayOf(counts: Uint32Array): PushResult['delay'] {
  const delays = new Delays();
  delays.addAll(counts);
  return { median: delays.quantile(0.5), p99: delays.quantile(0.99), max: delays.quantile(1) };
}

/** Kills a gateway with connected panels, and starts another in its place. */
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
