/** The history of a session: the page's own entries, the server's, and both joined, as pure functions. */
import type { WireHistoryEntry } from '../wire.ts';
import type { Cause } from './session.ts';

/** An event while the panel was open. */
export interface Entry {
  /** In milliseconds since 1970, by the browser's clock. */
  readonly at: number;
  /** Unique in a panel. A later entry has a higher id, whatever happens to the clock. */
  readonly id: number;
  readonly what:
    | Cause
    /** The operator's action failed. */
    | 'notStarted'
    | 'notDeleted'
    /** The server's answer to a test message. */
    | 'accepted'
    | 'refused';
  readonly state: string;
  /** The error of an action, or the number that a test message went to. */
  readonly detail?: string;
  readonly by?: string | undefined;
}

export type PastEntry = Readonly<Pick<WireHistoryEntry, 'at' | 'event' | 'state'>> & {
  readonly [Name in 'detail' | 'code' | 'by']?: string | undefined;
};

export interface PastPage {
  /** The newest first, at moments by the server's clock: the next page begins before the last of them. */
  readonly entries: readonly PastEntry[];
  /** How far the server's clock is ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
  /** Whether it has as many entries as were requested, though some may be invalid. */
  readonly isFull: boolean;
}

/** An entry of the server, with a negative id: those of the page are positive. */
type Numbered = PastEntry & { readonly id: number };

/** The server's history of a session, as far as it is loaded. */
export interface Past {
  /** The newest first, at moments by the server's clock. */
  readonly entries: readonly Numbered[];
  /** How far that clock was last ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
  /** There is nothing older. */
  readonly complete: boolean;
  /** The id of the page's own last entry when the newest of these were requested. */
  readonly requestedAfter: number;
}

/** How many entries a request is for. */
export const PAGE_LENGTH = 50;

/** Adds a page of older entries, or the first page. */
export function withPage(
  past: Past | undefined,
  { entries, clockOffset, isFull }: PastPage,
  requestedAfter: number,
): Past {
  const known = past?.entries ?? [];
  const begin = known.at(-1)?.at ?? Infinity;
  // A server that repeats a page has no more.
  const older = entries.filter(({ at }) => at < begin);
  const numbered = older.map((entry, index) => ({ ...entry, id: -1 - known.length - index }));
  return {
    entries: [...known, ...numbered],
    clockOffset,
    complete: !isFull || older.length === 0,
    requestedAfter,
  };
}

/** What only the page records: the server has the rest too. */
const PAGE_ONLY: ReadonlySet<string> = new Set<Entry['what']>([
  'closing',
  'reopened',
  'notStarted',
  'notDeleted',
  'accepted',
  'refused',
]);

/** Milliseconds by which the moments of one event may differ: the clocks do, and its push takes its time. */
const TOLERANCE_MS = 5_000;

/**
 * Returns what happened, the newest first, at moments by the browser's clock: the server's entries, what only the page
 * records, and what was pushed since the request, unless the server has it too.
 *
 * @param own - the page's entries, the oldest first
 */
export function joinPast(own: readonly Entry[], past: Past): readonly (Entry | Numbered)[] {
  const kept = past.entries.map((entry) => ({ ...entry, at: entry.at - past.clockOffset }));
  // What is older waits for the entries before.
  const begin = past.complete ? -Infinity : (kept.at(-1)?.at ?? Infinity);
  const unmatched = kept.toReversed();
  // From the oldest on, each is one of the server's: two events of a kind remain two.
  const isKept = ({ at, what, state }: Entry) => {
    const index = unmatched.findIndex(
      (entry) => entry.event === what && entry.state === state && Math.abs(entry.at - at) < TOLERANCE_MS,
    );
    if (index >= 0) unmatched.splice(index, 1);
    return index >= 0;
  };
  const shown = own.filter((entry) =>
    PAGE_ONLY.has(entry.what) ? entry.at >= begin : !isKept(entry) && entry.id > past.requestedAfter,
  );
  return [...shown.toReversed(), ...kept].sort((one, other) => other.at - one.at);
}
