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
  /** The reason of a failure, or the number that a test message went to. */
  readonly detail?: string;
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
