import type { WireHistoryEntry } from '../../../src/wire.ts';

/** Entries that say who carries the session, and not how it is. */
const CARRIED = ['restored', 'moved'];

/**
 * Returns the entry since which a session is as it is, where a gateway has only carried it on since then.
 *
 * @param past the newest first
 */
export function lastChange(past: readonly WireHistoryEntry[]): WireHistoryEntry | undefined {
  const states = past.filter(({ event }) => !event.startsWith('link_'));
  return states.find(({ event, code }, index) => {
    // What a gateway says of a session that it cannot connect, because no phone is linked.
    const isCarriedOn = event === 'disconnected' && code === undefined;
    const before = states[index + 1]?.event;
    return !CARRIED.includes(event) && !(isCarriedOn && before !== undefined && CARRIED.includes(before));
  });
}
