import type { SessionEvent } from './session.ts';

/** An event, and when it happened: in milliseconds since 1970. */
interface JournalEntry {
  readonly event: SessionEvent;
  readonly at: number;
}

/**
 * The events since a call was made: its answer may be older than they are. Only the last event of each type and numero
 * is kept, since the session that follows is the same, and the call may take long.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();

  add(entry: JournalEntry): void {
    const key = `${entry.event.type} ${entry.event.numero}`;
    // Setting an existing key would keep its old place in the order.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** The events, the oldest first. */
  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }
}
