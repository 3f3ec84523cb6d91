import { Listeners } from '../observable.ts';
import { needsAttention } from './states.ts';
import type { Situation } from './status.ts';

/** How many sessions ask what of the operator. */
export interface Counts {
  /** Nothing: all is well. */
  readonly well: number;
  readonly waiting: number;
  /** A person has to look after them. */
  readonly attention: number;
  /** They fell, and are not back yet: these are among the others too. */
  readonly fallen: number;
  /** They need attention, and a new start may be what mends them. */
  readonly mendable: number;
}

export type Group = keyof Counts;

const NONE: Counts = { well: 0, waiting: 0, attention: 0, fallen: 0, mendable: 0 };

const GROUPS = ['well', 'waiting', 'attention', 'fallen', 'mendable'] as const;

export function isIn(group: Group, situation: Situation): boolean {
  const { asks, fell } = situation;
  if (group === 'fallen') return fell !== undefined;
  if (group === 'attention') return needsAttention(asks);
  if (group === 'mendable') return isMendable(situation);
  return asks === (group === 'well' ? 'nothing' : 'wait');
}

/** Not a code that waits to be scanned, nor what was to be deleted, nor what is being started. */
function isMendable({ asks, unanswered, stuck, failure }: Situation): boolean {
  if (unanswered || stuck === 'not-deleted' || failure?.action === 'delete') return false;
  return asks === 'act' || asks === 'unknown';
}

/** Counts as sessions change, so that a push costs the same however many there are. */
export class Tally {
  readonly #listeners = new Listeners();
  #counts = NONE;

  /** Calls the listener when {@link counts} would give another answer; gives the function that stops it. */
  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The same object until one of the numbers changes. */
  readonly counts = (): Counts => this.#counts;

  change(before: Situation | undefined, now: Situation | undefined): void {
    const counts = { ...this.#counts };
    let changed = false;
    for (const group of GROUPS) {
      const by = Number(!!now && isIn(group, now)) - Number(!!before && isIn(group, before));
      counts[group] += by;
      changed ||= by !== 0;
    }
    if (!changed) return;
    this.#counts = counts;
    this.#listeners.call();
  }
}
