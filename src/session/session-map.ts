import { keepIfEqual } from '../keep-if-equal.ts';
import { KeyedListeners, Listeners } from '../observable.ts';
import { DEFAULT_LIVES, withLife } from './code-lifetime.ts';
import { Deadlines } from './clock.ts';
import { type Details, type Names, NO_DETAILS } from './details.ts';
import { Journal, type JournalEntry } from './journal.ts';
import { isShownAlike, type SessionRecord } from './record.ts';
import { reduce, type SessionAction } from './reducer.ts';
import { detailsAfter, type ListedSession, next, type Session } from './session.ts';

/** A record before and after an action; undefined where the session is not listed. */
export interface Change {
  /** The type of the action. */
  readonly cause: SessionAction['type'];
  readonly numero: string;
  readonly before: SessionRecord | undefined;
  readonly now: SessionRecord | undefined;
}

/** Whether the session dropped: it was CONNECTED, and nobody ended that. */
export function hasDropped({ before, now }: Change): boolean {
  const droppedAt = now?.status.droppedAt;
  return droppedAt !== undefined && droppedAt !== before?.status.droppedAt;
}

/** What the panel knows of each session. Every change is an action, which {@link reduce} turns into the next record. */
export class SessionMap {
  /** Called after each change that can be seen. */
  readonly changes = new Listeners<[Change]>();
  readonly #watchers = new KeyedListeners();
  /** In the server's order. */
  #records = new Map<string, SessionRecord>();
  #numeros: readonly string[] = [];
  /** Whether a session has come, gone or moved since. */
  #areNumerosOld = false;
  readonly #journals = new Set<Journal>();
  readonly #deadlines = new Deadlines((numero) => this.dispatch({ type: 'tick', numero }));
  #codeLives = DEFAULT_LIVES;
  #lastEntry = 0;
  #interruptions = 0;
  #names: Names | undefined;
  #areDetailsShown = false;

  get size(): number {
    return this.#records.size;
  }

  /** The numeros in the server's order: the same array until one comes, goes or moves. */
  get numeros(): readonly string[] {
    if (this.#areNumerosOld) this.#numeros = keepIfEqual(this.#numeros, [...this.#records.keys()]);
    this.#areNumerosOld = false;
    return this.#numeros;
  }

  /** The records in the server's order. */
  get records(): Iterable<SessionRecord> {
    return this.#records.values();
  }

  /** Returns what is known of a session: the same object until something changes. */
  readonly get = (numero: string): SessionRecord | undefined => this.#records.get(numero);

  /** Calls the listener when {@link get} returns another record; returns the function that stops it. */
  readonly watch = (numero: string, listener: () => void): (() => void) =>
    this.#watchers.add(numero, listener);

  /** The one place where what is known of a session changes. */
  dispatch(action: SessionAction): void {
    const { type, numero } = action;
    if ('at' in action) for (const journal of this.#journals) journal.add({ event: action, at: action.at });
    const before = this.#records.get(numero);
    const interruptions = this.#interruptions;
    if (action.type === 'qr' && before?.session.qrCode !== undefined) {
      const { qrCode: text, at } = action;
      this.#codeLives = withLife(this.#codeLives, before.facts.code, { text, at, interruptions });
    }
    const now = reduce(before, {
      ...action,
      now: Date.now(),
      entryId: this.nextEntryId(),
      interruptions,
      codeLives: this.#codeLives,
      naming: this.#names?.get(numero),
      areDetailsShown: this.#areDetailsShown,
    });
    if (now === before) return;
    if (!now || !before) this.#areNumerosOld = true;
    if (now) this.#records.set(numero, now);
    else this.#records.delete(numero);
    if (before && now && isShownAlike(before, now)) return;
    this.#deadlines.set(numero, now?.status.changesAt);
    this.#watchers.call(numero);
    this.changes.call({ cause: type, numero, before, now });
  }

  /** Replaces all sessions by the server's list. What happened since it was asked for is newer, and stays. */
  replace(list: readonly ListedSession[], entries: readonly JournalEntry[]): void {
    const listed = new Map<string, { readonly session: Session; readonly details: Details }>();
    for (const { details = NO_DETAILS, ...session } of list) listed.set(session.numero, { session, details });
    for (const { event } of entries) {
      const { numero } = event;
      const before = listed.get(numero);
      const session = next(before?.session, event);
      if (session) listed.set(numero, { session, details: detailsAfter(before?.details, event) });
      else listed.delete(numero);
    }
    for (const numero of this.numeros)
      if (!listed.has(numero))
        this.dispatch({ type: 'listed', numero, session: undefined, details: NO_DETAILS });
    for (const [numero, item] of listed) this.dispatch({ type: 'listed', numero, ...item });
    // The list has no codes to type: those that were pushed since stay.
    for (const { event, at } of entries) if (event.type === 'code') this.dispatch({ ...event, at });
    this.#sort([...listed.keys()]);
  }

  /** The names that the host page gives: they win over the server's. */
  setNames(names: Names | undefined): void {
    this.#names = names;
    this.#configure();
  }

  /** Whether what the server tells beside the state is shown. */
  showDetails(shown: boolean): void {
    if (shown === this.#areDetailsShown) return;
    this.#areDetailsShown = shown;
    this.#configure();
  }

  #configure(): void {
    for (const numero of this.numeros) this.dispatch({ type: 'configured', numero });
  }

  /** Returns an id for an entry of a history: a later one is higher. */
  nextEntryId(): number {
    this.#lastEntry += 1;
    return this.#lastEntry;
  }

  /** A push may be lost, or a start ends codes early: the codes that are up tell nothing about lifetimes. */
  interrupted(): void {
    this.#interruptions += 1;
  }

  /** Returns the answer to a call, and the events that were dispatched until it came, the oldest first. */
  async recorded<Answer>(call: Promise<Answer>): Promise<[Answer, readonly JournalEntry[]]> {
    const journal = new Journal();
    this.#journals.add(journal);
    try {
      return [await call, journal.entries];
    } finally {
      this.#journals.delete(journal);
    }
  }

  /** Stops looking at the clock. */
  stop(): void {
    this.#deadlines.close();
  }

  #sort(numeros: readonly string[]): void {
    const records = this.#records;
    this.#records = new Map();
    for (const numero of numeros) {
      const record = records.get(numero);
      if (record) this.#records.set(numero, record);
    }
    this.#areNumerosOld = true;
  }
}
