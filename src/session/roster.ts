import { unlessNew } from '../keep-if-equal.ts';
import { KeyedListeners } from '../observable.ts';
import { Journal } from './journal.ts';
import { closing, next, type Session, type SessionEvent } from './session.ts';
import type { Change } from './session-map.ts';

/** Who is told that a session is not what it was: `undefined` where there was none, or is none any more. */
export type Tell = (change: Change) => void;

/**
 * The sessions of one server as they are to be shown, and those who look at each. Nothing here asks the server
 * anything, or has words for the screen.
 */
export class Roster {
  readonly #tell: Tell;
  readonly #watchers = new KeyedListeners();
  /** What the server last said. */
  readonly #sessions = new Map<string, Session>();
  /** When something was last heard of those whose deletion is under way: it is told when that has failed. */
  readonly #heardAt = new Map<string, number>();
  /** How those look whose deletion is under way. */
  readonly #closing = new Map<string, Session>();
  /** What has happened since each call whose answer may already be old when it comes. */
  readonly #journals = new Set<Journal>();
  #numeros: readonly string[] = [];

  constructor(tell: Tell) {
    this.#tell = tell;
  }

  /** The sessions, in the server's order. The same array until one comes or goes. */
  get numeros(): readonly string[] {
    return this.#numeros;
  }

  has(numero: string): boolean {
    return this.#sessions.has(numero);
  }

  /** A session as it is to be shown now. */
  session(numero: string): Session | undefined {
    return this.#closing.get(numero) ?? this.#sessions.get(numero);
  }

  /** Calls the listener when {@link session} would give another answer for this numero. */
  watch(numero: string, listener: () => void): () => void {
    return this.#watchers.add(numero, listener);
  }

  /** Does what an event means for its session; `at` is for one that had happened before. */
  apply(event: SessionEvent, at?: number): void {
    for (const journal of this.#journals) journal.add({ event, at: at ?? Date.now() });
    if (this.#closing.has(event.numero)) this.#heardAt.set(event.numero, Date.now());
    const change = () => {
      if (event.type === 'deleted') {
        this.#closing.delete(event.numero);
        this.#heardAt.delete(event.numero);
      }
      const count = this.#sessions.size;
      put(this.#sessions, event);
      if (this.#sessions.size !== count) this.#numeros = [...this.#sessions.keys()];
    };
    this.#change(event.type, event.numero, change, at);
  }

  isClosing(numero: string): boolean {
    return this.#closing.has(numero);
  }

  /** Shows a session as closing, whatever the server says of it, until it is deleted or {@link reopen}ed. */
  close(session: Session): void {
    this.#change('closing', session.numero, () => this.#closing.set(session.numero, closing(session)));
  }

  /** Shows again what the server last said. */
  reopen(numero: string): void {
    const heardAt = this.#heardAt.get(numero);
    this.#heardAt.delete(numero);
    this.#change('reopened', numero, () => this.#closing.delete(numero), heardAt);
  }

  /** Takes the server's list, and upon it what has happened since it was asked for: the newer word wins. */
  replace(list: readonly Session[], journal: Journal): void {
    const listed = new Map(list.map((session) => [session.numero, session]));
    for (const { event } of journal.entries) put(listed, event);
    const shown = new Map<string, Session | undefined>(
      [...listed.keys()].map((numero) => [numero, undefined]),
    );
    for (const numero of this.#sessions.keys()) shown.set(numero, this.session(numero));
    const known = new Map(this.#sessions);
    this.#sessions.clear();
    for (const [numero, session] of listed) this.#sessions.set(numero, unlessNew(known.get(numero), session));
    this.#numeros = unlessNew(this.#numeros, [...listed.keys()]);
    for (const [numero, before] of shown) this.#wake('listed', numero, before);
  }

  /** Calls those who look at a session, though the server said nothing new of it. */
  wake(numero: string): void {
    this.#watchers.call(numero);
  }

  /** Writes down what happens from now on, until {@link closeJournal}. */
  openJournal(): Journal {
    const journal = new Journal();
    this.#journals.add(journal);
    return journal;
  }

  closeJournal(journal: Journal): void {
    this.#journals.delete(journal);
  }

  #change(type: Change['type'], numero: string, change: () => void, at?: number): void {
    const before = this.session(numero);
    change();
    this.#wake(type, numero, before, at);
  }

  #wake(type: Change['type'], numero: string, before: Session | undefined, at = Date.now()): void {
    const session = this.session(numero);
    if (session === before) return;
    this.#tell({ type, numero, session, before, at });
    this.wake(numero);
  }
}

function put(sessions: Map<string, Session>, event: SessionEvent): void {
  const session = next(sessions.get(event.numero), event);
  if (session) sessions.set(event.numero, session);
  else sessions.delete(event.numero);
}
