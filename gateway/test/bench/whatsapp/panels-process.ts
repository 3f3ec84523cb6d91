/** The panels, in a process of their own. */
import { answerParent } from '../../../../test/bench/child.ts';
import { now } from '../../../../test/bench/now.ts';
import { until } from '../../../../test/support/until.ts';
import { BarePanel } from '../bare-panel.ts';

/** The push for a lost line. */
const LOST = /^\["session:change_state",\{"numero":"(\d+)","state":"OPENING"\}\]/;

let panels: readonly BarePanel[] = [];
const heard = new Map<string, number[]>();

const calls = {
  async open({ url, count }: { url: string; count: number }): Promise<void> {
    panels = Array.from({ length: count }, () => new BarePanel(url, hear));
    await until(() => panels.every(({ isReady }) => isReady), 'all panels to be connected', 60_000);
  },

  /** Returns when each panel learnt that the line of a session was lost, by numero, by the clock of `now.ts`. */
  heard(): ReadonlyMap<string, readonly number[]> {
    return heard;
  },
};

function hear(push: string): void {
  const [, numero] = LOST.exec(push) ?? [];
  if (numero === undefined) return;
  const times = heard.get(numero) ?? [];
  times.push(now());
  heard.set(numero, times);
}

export type PanelsCalls = typeof calls;

answerParent(calls);
