/** The panels of all gateways, in a separate process. */

import { answerParent } from '../../../../test/bench/child.ts';
import { until } from '../../../../test/support/until.ts';
import { Delays } from '../delays.ts';
import { Ear } from '../ear.ts';
import { type Load, LoadWatch } from '../load.ts';
import type { Heard } from '../panels-process.ts';
import { connectDrained } from './drained-panel.ts';

interface Audience {
  readonly urls: readonly string[];
  /** Per gateway; {@link EARS} of them listen, the others are drained. */
  readonly panels: number;
  readonly pushes: number;
  /** As of {@link Ear}. */
  readonly lanes: number;
}

/** Panels per gateway that listen: all of them would take more of the machine than the gateways. */
const EARS = 5;
/** In milliseconds. */
const PATIENCE = 30_000;

const delays = new Delays();
let ears: readonly Ear[] = [];
let watch = new LoadWatch();

const calls = {
  /** Connects the panels. */
  async listen({ urls, panels, pushes, lanes }: Audience): Promise<void> {
    const listening = Math.min(panels, EARS);
    ears = urls.flatMap((url) =>
      Array.from({ length: listening }, () => new Ear(url, pushes, delays, lanes)),
    );
    await until(() => ears.every(({ isReady }) => isReady), 'all ears to be connected', PATIENCE);
    for (const url of urls) {
      for (let count = listening; count < panels; count += 1) await connectDrained(url);
    }
    watch.stop();
    watch = new LoadWatch();
  },

  /** Returns the load since the panels connected. */
  load(): Load {
    return watch.stop();
  },

  /** Returns what was received, once it is complete or nothing more is expected. */
  async heard(pushes: number): Promise<Heard & { readonly closed: number }> {
    const all = () => ears.every(({ received }) => received === pushes);
    await until(all, 'all pushes', PATIENCE).catch(() => {});
    const sum = (count: (ear: Ear) => number) => ears.reduce((total, ear) => total + count(ear), 0);
    return {
      lost: sum(({ received }) => pushes - received),
      repeated: sum(({ repeated }) => repeated),
      late: sum(({ late }) => late),
      closed: ears.filter(({ isClosed }) => isClosed).length,
      delays: delays.counts,
    };
  },
};

export type PanelsCalls = typeof calls;

answerParent(calls);
