/** When a session was down that should have been up, by its history, as pure functions: docs/reasons.md. */
import { STATES, type WireHistoryEntry } from '../wire.ts';

/** The codes of a linked session that lost its connection although no operator asked for that. */
export const FALLS: ReadonlySet<string | undefined> = new Set([
  'logged-out',
  'device-removed',
  'unreachable',
  'outdated',
  'banned',
  'connection-lost',
  'restricted',
  'replaced',
  'no-server',
  'silent',
  'dead-keys',
]);

/** A time without connection. Moments are those of the history. */
export interface Outage {
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
}

/**
 * Returns the outages of a session, the oldest first: each begins when it drops, and ends when it is connected again or
 * somebody unlinks it.
 *
 * @param entries - its history, the newest first
 */
export function outagesIn(
  entries: readonly Pick<WireHistoryEntry, 'at' | 'state' | 'code'>[],
): readonly Outage[] {
  const outages: Outage[] = [];
  let from: number | undefined;
  for (const { at, state, code } of entries.toReversed()) {
    const isOver = state === STATES.connected || code === 'unlinked';
    if (from === undefined && FALLS.has(code) && !isOver) from = at;
    else if (from !== undefined && isOver) {
      outages.push({ from, to: at });
      from = undefined;
    }
  }
  return from === undefined ? outages : [...outages, { from, to: undefined }];
}
