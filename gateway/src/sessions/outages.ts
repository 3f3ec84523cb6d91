/** When a session was down that should have been up, by its history, as pure functions: docs/reasons.md. */
import { DROP_REASONS, STATES, type WireHistoryEntry } from '../../../src/wire.ts';

/** A time without connection. Moments are those of the history. */
interface Outage {
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

type Entry = Pick<WireHistoryEntry, 'at' | 'state'> & Partial<Pick<WireHistoryEntry, 'event' | 'code'>>;

/** Entries after which a session is as it was: only another gateway carries it, or the same one again. */
const CONTINUED = ['restored', 'moved'];

/**
 * Returns the outages of a session, the oldest first: each begins when it drops, and ends when it is connected again or
 * somebody unlinks it. One that was not connected does not drop.
 *
 * @param entries - its history, the newest first
 */
export function outagesIn(entries: readonly Entry[]): readonly Outage[] {
  const outages: Outage[] = [];
  let from: number | undefined;
  // What came before the history is unknown.
  let wasUp = true;
  for (const { at, event = '', state, code } of entries.toReversed()) {
    const isUp = state === STATES.connected;
    if (from === undefined) {
      if (wasUp && !isUp && DROP_REASONS.has(code)) from = at;
    } else if (isUp || code === 'unlinked') {
      outages.push({ from, to: at });
      from = undefined;
    }
    wasUp = isUp || (wasUp && CONTINUED.includes(event));
  }
  return from === undefined ? outages : [...outages, { from, to: undefined }];
}
