/** The history of a session: the page's own entries, the server's, and both joined, as pure functions. */
import type { WireHistoryEntry } from '../wire.ts';
import type { Cause } from './session.ts';

/** What happened to a session, at a moment by the browser's clock. */
export interface Entry extends Readonly<WireHistoryEntry> {
  /**
   * Unique in a panel. Of the page's own, a later entry has a higher id, whatever happens to the clock; the server's have
   * negative ones.
   */
  readonly id: number;
  /** The error of an action, or the number that a test message went to. */
  readonly about?: string;
}

/** What only the page records: how a deletion and other actions of the operator went. The server has the rest too. */
const PAGE_ONLY = ['closing', 'reopened', 'notStarted', 'notDeleted', 'accepted', 'refused'] as const;

export type OwnEvent = Cause | (typeof PAGE_ONLY)[number];

/** The server's history of a session, or a page of it. */
export interface PastPage {
  /** The newest first, at moments by the server's clock: the next page begins before the last of them. */
  readonly entries: readonly Readonly<WireHistoryEntry>[];
  /** How far the server's clock is ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
  /** Whether there is nothing older. */
  readonly complete: boolean;
}

/** The server's history of a session, as far as it is loaded. */
export interface Past extends PastPage {
  /** The id of the page's own last entry when the newest of these were requested. */
  readonly requestedAfter: number;
}

/** How many entries a request is for. */
export const PAGE_LENGTH = 50;

/** Adds a page of older entries, or the first page. */
export function withPage(past: Past | undefined, page: PastPage, requestedAfter: number): Past {
  const known = past?.entries ?? [];
  const begin = known.at(-1)?.at ?? Infinity;
  const older = page.entries.filter(({ at }) => at < begin);
  return {
    ...page,
    entries: [...known, ...older],
    // A server that repeats a page has no more.
    complete: page.complete || older.length === 0,
    requestedAfter,
  };
}

/** Milliseconds by which the moments of one event may differ: the clocks do, and its push takes its time. */
const TOLERANCE_MS = 5_000;

/**
 * Returns what happened, the newest first, at moments by the browser's clock: the server's entries, what only the page
 * records, and what was pushed since the request, unless the server has it too.
 *
 * @param own - the page's entries, the oldest first
 */
export function joinPast(own: readonly Entry[], past: Past): readonly Entry[] {
  const { entries, clockOffset, complete, requestedAfter } = past;
  const kept = entries.map((entry, index) => ({ ...entry, at: entry.at - clockOffset, id: -1 - index }));
  // What is older waits for the entries before.
  const begin = complete ? -Infinity : (kept.at(-1)?.at ?? Infinity);
  const unmatched = kept.toReversed();
  // From the oldest on, each is one of the server's: two events of a kind remain two.
  const isKept = ({ at, event, state }: Entry) => {
    const index = unmatched.findIndex(
      (entry) => entry.event === event && entry.state === state && Math.abs(entry.at - at) < TOLERANCE_MS,
    );
    if (index >= 0) unmatched.splice(index, 1);
    return index >= 0;
  };
  const shown = own.filter((entry) =>
    PAGE_ONLY.some((event) => event === entry.event)
      ? entry.at >= begin
      : !isKept(entry) && entry.id > requestedAfter,
  );
  return [...shown.toReversed(), ...kept].sort((one, other) => other.at - one.at);
}
