import type { Cause } from './course.ts';

/** How many entries are kept of one session, and how many are shown. */
const KEPT = 50;

/** Something that happened to a session while the panel looked. */
export interface Entry {
  /** When, in milliseconds since 1970, by the browser's clock. */
  readonly at: number;
  /** Which entry it is: the first of a panel is 1, and none has the number of another. */
  readonly id: number;
  readonly what:
    | Cause['type']
    /** The action of the operator failed. */
    | 'notStarted'
    | 'notDeleted'
    /** What the server said to a test message. */
    | 'accepted'
    | 'refused'
    /** The live connection, which all sessions share. */
    | 'lost'
    | 'back';
  /** The state text that it showed then. */
  readonly state: string;
  /** The reason of a failure, or the number that a test message went to. */
  readonly detail?: string;
}

const NONE: readonly Entry[] = [];

/** Both in one order, the oldest first, and no more than are kept of one. */
export function merge(entries: readonly Entry[], connection: readonly Entry[]): readonly Entry[] {
  const first = entries[0]?.id ?? Number.POSITIVE_INFINITY;
  const since = connection.filter(({ id }) => id > first);
  return [...entries, ...since].sort((one, other) => one.id - other.id).slice(-KEPT);
}

/** What has happened to each session, the oldest first. */
export class History {
  readonly #entries = new Map<string, readonly Entry[]>();
  #lastId = 0;

  /** Another array after each {@link add}, the same one until then. */
  of(numero: string): readonly Entry[] {
    return this.#entries.get(numero) ?? NONE;
  }

  add(numero: string, entry: Omit<Entry, 'id'>): void {
    this.#lastId += 1;
    this.#entries.set(numero, [...this.of(numero).slice(1 - KEPT), { id: this.#lastId, ...entry }]);
  }

  forget(numero: string): void {
    this.#entries.delete(numero);
  }
}
