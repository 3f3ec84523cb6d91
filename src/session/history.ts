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
