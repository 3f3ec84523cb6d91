/** The panels, in a separate process. */

import { answerParent } from '../../../test/bench/child.ts';
import { type Habits, SlowConsumer } from '../../../test/support/slow-consumer.ts';
import { until } from '../../../test/support/until.ts';
import { Delays } from './delays.ts';
import { Ear } from './ear.ts';
import { type Load, LoadWatch } from './load.ts';
import { Panel } from './panel.ts';

/** What all ears received together. */
export interface Heard {
  /** Pushes still missing a minute after the last one was due. */
  readonly lost: number;
  readonly repeated: number;
  /** Pushes that arrived after a later one. */
  readonly late: number;
  /** From when a push was due until an ear had it: the counters of {@link Delays}. */
  readonly delays: Uint32Array;
}

/** How the panels recovered. */
interface Back {
  /** When each of them had its list again, by the clock of `now.ts`. */
  readonly at: readonly number[];
  /** Failed list requests. */
  readonly failed: number;
  /** Of all lists together. */
  readonly bytes: number;
}

/** In milliseconds. */
const PATIENCE = 60_000;

/** Within the gateway's ping interval of 25 s, so that it sends no ping. */
const SLOW: Habits = { stage: 'websocket', pongEvery: 5_000, backAfter: 0 };

const delays = new Delays();
let ears: readonly Ear[] = [];
let panels: readonly Panel[] = [];
let slow: readonly SlowConsumer[] = [];
let watch = new LoadWatch();

const calls = {
  /** Connects this many ears, each expecting this many pushes. */
  async listen({ url, count, pushes }: { url: string; count: number; pushes: number }): Promise<void> {
    ears = Array.from({ length: count }, () => new Ear(url, pushes, delays));
    await until(() => ears.every(({ isReady }) => isReady), 'all ears to be connected', PATIENCE);
    watch.stop();
    watch = new LoadWatch();
  },

  /** Returns the load since the ears connected. */
  load(): Load {
    return watch.stop();
  },

  /** Returns what was received, once it is complete or nothing more is expected. */
  async heard(pushes: number): Promise<Heard> {
    const all = () => ears.every(({ received }) => received === pushes);
    await until(all, 'all pushes', PATIENCE).catch(() => {});
    return {
      lost: sum(ears, ({ received }) => pushes - received),
      repeated: sum(ears, ({ repeated }) => repeated),
      late: sum(ears, ({ late }) => late),
      delays: delays.counts,
    };
  },

  /** Connects this many panels, which then stop reading. */
  async connectSlow({ url, count }: { url: string; count: number }): Promise<void> {
    slow = Array.from({ length: count }, () => new SlowConsumer(url, SLOW));
    await until(
      () => slow.every(({ hasStopped }) => hasStopped),
      'all slow consumers to be connected',
      PATIENCE,
    );
  },

  /** Returns how often a slow consumer was closed. */
  closed(): number {
    return sum(slow, ({ closed }) => closed);
  },

  /** Connects this many panels, and waits until each has its list and its WebSocket. */
  async open({ url, count }: { url: string; count: number }): Promise<void> {
    panels = Array.from({ length: count }, () => new Panel(url));
    await until(() => panels.every(({ isReady }) => isReady), 'all panels to be connected', PATIENCE);
    for (const panel of panels) panel.forgetList();
  },

  /** Waits until each panel has its list and its WebSocket again. */
  async back(sessions: number): Promise<Back> {
    await until(() => panels.every(({ isReady }) => isReady), 'all panels to be back', PATIENCE);
    if (!panels.every((panel) => panel.hasAll(sessions))) throw new Error('A list is not whole');
    return {
      at: panels.map(({ listedAt }) => listedAt),
      failed: sum(panels, ({ failed }) => failed),
      bytes: sum(panels, ({ bytes }) => bytes),
    };
  },
};

function sum<T>(things: readonly T[], count: (thing: T) => number): number {
  return things.reduce((total, thing) => total + count(thing), 0);
}

export type PanelsCalls = typeof calls;

answerParent(calls);
