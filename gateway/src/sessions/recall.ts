import type { WireHistoryEntry } from '../../../src/wire.ts';

/** Entries about who owns the session, not about its state. */
const OF_OWNER = ['restored', 'moved'];

/**
 * Returns the entry with which the present state began, if gateways have only continued the session since then.
 *
 * @param past the newest first
 */
export function lastChange(past: readonly WireHistoryEntry[]): WireHistoryEntry | undefined {
  const states = past.filter(({ event }) => !event.startsWith('link_'));
  return states.find(({ event, code }, index) => {
    // A gateway's entry for a session that it cannot connect because no phone is linked.
    const isUnlinked = event === 'disconnected' && code === undefined;
    const before = states[index + 1]?.event;
    return !OF_OWNER.includes(event) && !(isUnlinked && before !== undefined && OF_OWNER.includes(before));
  });
}
