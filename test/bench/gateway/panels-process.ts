/** The panels, in a process of their own. */
import { DeafPanel, type Habits } from '../../support/deaf-panel.ts';
import { until } from '../../support/until.ts';
import { answerParent } from '../child.ts';
import { Delays } from './delays.ts';
import { Ear } from './ear.ts';
import { type Load, LoadWatch } from './load.ts';
import { Panel } from './panel.ts';

/** What all ears heard together. */
export interface Heard {
  /** Pushes that had not come a minute after the last one was due. */
  readonly lost: number;
  readonly repeated: number;
  /** Pushes that came after a later one. */
  readonly late: number;
  /** From when a push was due to when an ear had it: the counters of {@link Delays}. */
  readonly delays: Uint32Array;
}

/** How the panels came back. */
export interface Back {
  /** When each of them had its list again, by the clock of `now.ts`. */
  readonly at: readonly number[];
  /** Lists that were asked for in vain. */
  readonly failed: number;
  /** Of all lists together. */
  readonly bytes: number;
}

/** In milliseconds. */
const PATIENCE = 60_000;

/** Within the 25 s of the gateway's ping interval, so that it sees no need for a ping. */
const DEAF: Habits = { stage: 'websocket', pongEvery: 5_000, backAfter: 0 };

const delays = new Delays();
let ears: readonly Ear[] = [];
let panels: readonly Panel[] = [];
let deaf: readonly DeafPanel[] = [];
let watch = new LoadWatch();

const calls = {
  /** Connects so many ears, each of which expects so many pushes. */
  async listen({ url, count, pushes }: { url: string; count: number; pushes: number }): Promise<void> {
    ears = Array.from({ length: count }, () => new Ear(url, pushes, delays));
    await until(() => ears.every(({ isReady }) => isReady), 'all ears to be connected', PATIENCE);
    watch.stop();
    watch = new LoadWatch();
  },

  /** The load since the ears are connected. */
  load(): Load {
    return watch.stop();
  },

  /** What was heard, once all of it is there or nothing more is to be expected. */
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

  /** Connects so many panels that then stop reading. */
  async deafen({ url, count }: { url: string; count: number }): Promise<void> {
    deaf = Array.from({ length: count }, () => new DeafPanel(url, DEAF));
    await until(() => deaf.every(({ isDeaf }) => isDeaf), 'all deaf panels to be connected', PATIENCE);
  },

  /** How often a deaf panel was closed. */
  closed(): number {
    return sum(deaf, ({ closed }) => closed);
  },

  /** Connects so many panels, and waits until each has its list and its WebSocket. */
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
