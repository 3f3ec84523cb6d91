import type { WireHistoryEntry } from '../wire.ts';
import type { Cause } from './session.ts';

/** How many entries are kept of a session, and how many are shown. */
const KEPT = 50;

/** Something that happened while the panel was open. */
export interface Entry {
  /** When, in milliseconds since 1970, by the browser's clock. */
  readonly at: number;
  /** Unique in a panel; a later entry has a higher one, whatever happens to the clock. */
  readonly id: number;
  readonly what:
    | Cause
    /** The operator's action failed. */
    | 'notStarted'
    | 'notDeleted'
    /** The server's answer to a test message. */
    | 'accepted'
    | 'refused'
    /** The live connection, which all sessions share. */
    | 'lost'
    | 'back';
  /** The state text that was shown then. */
  readonly state: string;
  /** The error of an action, or the number that a test message went to. */
  readonly detail?: string;
}

/** Something that the server remembers. */
export type PastEntry = Readonly<WireHistoryEntry>;

/** What the server answers of it at once. */
export interface PastPage {
  /** The newest first, at moments by the server's clock: the next page begins before the last of them. */
  readonly entries: readonly PastEntry[];
  /** How far the server's clock is ahead of the browser's, in milliseconds. */
  readonly clockOffset: number;
  /** Whether it has as many entries as were asked for, though some may not be understood. */
  readonly isFull: boolean;
}

/** Returns the entries with a new last one, and without those that are too many. */
export function append(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  return [...entries.slice(1 - KEPT), entry];
}

/** Returns the last entries of a session, with those of the connection since its first one. */
export function merge(entries: readonly Entry[], connection: readonly Entry[]): readonly Entry[] {
  const first = entries[0]?.id ?? Infinity;
  const since = connection.filter(({ id }) => id > first);
  return [...entries, ...since].sort((one, other) => one.id - other.id).slice(-KEPT);
}

/** What the server remembers of a session, and how this page's own history joins it, as pure functions. */

/** An entry of the server, with an id that no entry of the page has. */
type Numbered = PastEntry & { readonly id: number };

/** The server's history of a session, as far as it is loaded. */
export interface Past {
  /** The newest first, at moments by the server's clock. */
  readonly entries: readonly Numbered[];
  /** How far that clock is ahead of the browser's, in milliseconds, as is last known. */
  readonly clockOffset: number;
  /** There is nothing older. */
  readonly complete: boolean;
  /** The id of the last entry that the page itself had when the newest of these were asked for. */
  readonly askedAfter: number;
}

/** How many entries are asked for at once. */
export const PAGE_LENGTH = 50;

/** Returns the history with a page of older entries, or with its first one. */
export function withPage(
  past: Past | undefined,
  { entries, clockOffset, isFull }: PastPage,
  askedAfter: number,
): Past {
  const known = past?.entries ?? [];
  const begin = known.at(-1)?.at ?? Infinity;
  // A server that always answers the same has no more.
  const older = entries.filter(({ at }) => at < begin);
  const numbered = older.map((entry, index) => ({ ...entry, id: -1 - known.length - index }));
  return {
    entries: [...known, ...numbered],
    clockOffset,
    complete: !isFull || older.length === 0,
    askedAfter,
  };
}

/** What only this page knows: the server tells the rest as well. */
const PAGE_ONLY: ReadonlySet<string> = new Set<Entry['what']>([
  'closing',
  'reopened',
  'notStarted',
  'notDeleted',
  'accepted',
  'refused',
  'lost',
  'back',
]);

/** Milliseconds by which the moments of one event may differ: the clocks agree to the second, and a push takes its time. */
const TOLERANCE_MS = 5_000;

/**
 * Returns what happened, the newest first, at moments by the browser's clock. For the time that the server's entries cover,
 * they replace the page's own.
 *
 * @param own - the page's entries, the oldest first
 */
export function joinPast(own: readonly Entry[], past: Past): readonly (Entry | Numbered)[] {
  const kept = past.entries.map((entry) => ({ ...entry, at: entry.at - past.clockOffset }));
  const begin = kept.at(-1)?.at ?? Infinity;
  /** Entries of the server that the page has not. */
  const unmatched = [...kept];
  const isToShow = ({ at, id, what, state }: Entry) => {
    if (at < begin - TOLERANCE_MS) return past.complete;
    if (PAGE_ONLY.has(what)) return true;
    if (id <= past.askedAfter) return false;
    const same = unmatched.findIndex(
      (entry) => entry.event === what && entry.state === state && Math.abs(entry.at - at) <= TOLERANCE_MS,
    );
    if (same !== -1) unmatched.splice(same, 1);
    return same === -1;
  };
  const shown = own.filter(isToShow).toReversed();
  return [...shown, ...kept].sort((one, other) => other.at - one.at);
}
