import type { SessionEvent } from './session.ts';

/** An event, and when it happened: in milliseconds since 1970. */
export interface JournalEntry {
  readonly event: SessionEvent;
  readonly at: number;
}

/**
 * The events since a call was made: its answer may be older than they are. Only the last event of each type and numero
 * is kept, with the changes of details in one, since the session that follows is the same, and the call may take long.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();

  add({ event, at }: JournalEntry): void {
    const { type, numero } = event;
    const key = type === 'ack' ? `ack ${numero} ${event.id}` : `${type} ${numero}`;
    const last = this.#entries.get(key)?.event;
    // Setting an existing key would keep its old place in the order.
    this.#entries.delete(key);
    // These say all of a session: details from before are not to be merged with those that follow.
    if (type === 'created' || type === 'deleted') this.#entries.delete(`details ${numero}`);
    const merged =
      type === 'details' && last?.type === 'details'
        ? { ...event, change: { ...last.change, ...event.change } }
        : event;
    this.#entries.set(key, { event: merged, at });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Takes the events out, the oldest first. */
  *drain(): Generator<JournalEntry> {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      yield entry;
    }
  }

  /** The events, the oldest first. */
  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }
}
