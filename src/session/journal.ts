import type { SessionEvent } from './session.ts';

/** Something that happened, and when: in milliseconds since 1970. */
export interface JournalEntry {
  readonly event: SessionEvent;
  readonly at: number;
}

/**
 * What has happened since a call whose answer may already be old when it comes. Of each kind of event it keeps the
 * last one about each numero: that is all that a session follows from, however long the call takes.
 */
export class Journal {
  readonly #entries = new Map<string, JournalEntry>();

  add(entry: JournalEntry): void {
    const key = `${entry.event.type} ${entry.event.numero}`;
    // A key that is set again would keep its old place.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
  }

  /** The events in their order. */
  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()];
  }
}
