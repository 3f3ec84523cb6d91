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

/** The server's history of a session, as far as it is loaded. */
export interface Past {
  /** The newest first, at moments by the server's clock. */
  readonly entries: readonly PastEntry[];
  /** How far that clock was last ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
  /** There is nothing older. */
  readonly complete: boolean;
}

/** How many entries a request is for. */
export const PAGE_LENGTH = 50;

/** What tells an entry from others: the server's have no id. */
export function keyOf(entry: Entry | PastEntry): string | number {
  return 'id' in entry ? entry.id : `${entry.at} ${entry.event} ${entry.state}`;
}

/**
 * Adds a page, which may have entries that are known.
 *
 * @param before - the moment before which it was requested; undefined for the newest page
 */
export function withPage(
  past: Past | undefined,
  { entries, clockOffset, isFull }: PastPage,
  before?: number,
): Past {
  const oldest = entries.at(-1)?.at ?? Infinity;
  // Where more has happened since than a page has, there is a gap before what is known.
  const known = before !== undefined || past?.entries.some(({ at }) => at >= oldest) ? past : undefined;
  const all = new Map([...(known?.entries ?? []), ...entries].map((entry) => [keyOf(entry), entry]));
  return {
    entries: [...all.values()].sort((one, other) => other.at - one.at),
    clockOffset,
    // A server that repeats a page has no more.
    complete: !isFull || oldest >= (before ?? Infinity) || known?.complete === true,
  };
}

/** What only the page records: of all else the server decides what is an entry. */
const PAGE_ONLY: ReadonlySet<string> = new Set<Entry['what']>([
  'closing',
  'reopened',
  'notStarted',
  'notDeleted',
  'accepted',
  'refused',
]);

/**
 * Returns what happened, the newest first, at moments by the browser's clock: the server's entries, and what only the page
 * records.
 *
 * @param own - the page's entries, the oldest first
 */
export function joinPast(
  own: readonly Entry[],
  { entries, clockOffset, complete }: Past,
): readonly (Entry | PastEntry)[] {
  const kept = entries.map((entry) => ({ ...entry, at: entry.at - clockOffset }));
  // What is older waits for the entries before.
  const begin = complete ? -Infinity : (kept.at(-1)?.at ?? Infinity);
  const added = own.filter(({ at, what }) => PAGE_ONLY.has(what) && at >= begin).toReversed();
  return [...added, ...kept].sort((one, other) => other.at - one.at);
}
