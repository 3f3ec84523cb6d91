/** What the panel knows of each session, in one map. Every change of a record goes through one method. */
import { keepIfEqual } from '../keep-if-equal.ts';
import { KeyedListeners, Listeners } from '../observable.ts';
import { CodeLifetime } from './code-lifetime.ts';
import { Deadlines } from './deadlines.ts';
import { type Facts, type Failure, factsAfter } from './facts.ts';
import { append, type Entry } from './history.ts';
import { Journal } from './journal.ts';
import { type Cause, closing, next, type Session, type SessionEvent } from './session.ts';
import { type Status, statusOf } from './status.ts';

/** What is known of one session. Never changed in place. */
export interface SessionRecord {
  /** The session as it is to be shown: as reported, unless its deletion is under way. */
  readonly session: Session;
  /** The session as the server last described it. */
  readonly reported: Session;
  readonly facts: Facts;
  /** What it asks of the operator now. The same object while it says the same. */
  readonly status: Status;
  /** The last fifty things that happened to it, the oldest first. */
  readonly history: readonly Entry[];
}

/** A record before and after a change; undefined where the session is not listed. */
export interface Change {
  /** `time`: only time has passed; `action`: the operator did something, or its call ended. */
  readonly cause: Cause | 'time' | 'action';
  readonly numero: string;
  readonly before: SessionRecord | undefined;
  readonly now: SessionRecord | undefined;
}

/** Whether a change is that a session is CONNECTED no longer although nobody asked for that. */
export function hasDropped({ before, now }: Change): boolean {
  const droppedAt = now?.status.droppedAt;
  return droppedAt !== undefined && droppedAt !== before?.status.droppedAt;
}

export class SessionMap {
  /** Called after each change of a record. */
  readonly changes = new Listeners<[Change]>();
  readonly #watchers = new KeyedListeners();
  /** In the server's order. */
  #records = new Map<string, SessionRecord>();
  readonly #journals = new Set<Journal>();
  readonly #lifetime = new CodeLifetime();
  readonly #deadlines = new Deadlines((numero) => this.#update(numero, 'time', {}));
  #lastEntry = 0;
  #interruptions = 0;

  /** The numeros in the server's order, in a new array. */
  get numeros(): readonly string[] {
    return [...this.#records.keys()];
  }

  /** The records in the server's order. */
  get records(): Iterable<SessionRecord> {
    return this.#records.values();
  }

  /** The same object until something changes. */
  get(numero: string): SessionRecord | undefined {
    return this.#records.get(numero);
  }

  /** Calls the listener when {@link get} returns another record; returns the function that stops it. */
  watch(numero: string, listener: () => void): () => void {
    return this.#watchers.add(numero, listener);
  }

  /** Applies an event; `at` is when it happened, if not now, in milliseconds since 1970. */
  apply(event: SessionEvent, at = Date.now()): void {
    for (const journal of this.#journals) journal.add({ event, at });
    const { type, numero } = event;
    const record = this.#records.get(numero);
    const reported = next(record?.reported, event);
    if (!reported) this.#set(numero, undefined, type);
    else if (record?.facts.deletion) this.#hide(record, reported, type, Date.now());
    else if (reported !== record?.reported) this.#advance(numero, type, reported, at);
  }

  /** Replaces all sessions by the server's list. What happened since it was asked for is newer, and stays. */
  replace(list: readonly Session[], { entries }: Journal): void {
    const listed = new Map(list.map((session) => [session.numero, session]));
    for (const { event } of entries) {
      const session = next(listed.get(event.numero), event);
      if (session) listed.set(event.numero, session);
      else listed.delete(event.numero);
    }
    for (const [numero, session] of listed) {
      const record = this.#records.get(numero);
      const reported = keepIfEqual(record?.reported, session);
      if (record?.facts.deletion) this.#hide(record, reported, 'listed', record.facts.deletion.heardAt);
      else if (reported !== record?.reported) this.#advance(numero, 'listed', reported);
    }
    const gone = this.numeros.filter((numero) => !listed.has(numero));
    for (const numero of gone) this.#set(numero, undefined, 'listed');
    this.#sort([...listed.keys()]);
  }

  /** Shows a session as closing, whatever the server says of it, until it is deleted or {@link reopen}ed. */
  close(numero: string): void {
    const { reported } = this.#records.get(numero) ?? {};
    if (reported) this.#advance(numero, 'closing', reported);
  }

  /** Shows again what the server last said: the deletion has failed. */
  reopen(numero: string): void {
    const { reported, facts } = this.#records.get(numero) ?? {};
    if (reported) this.#advance(numero, 'reopened', reported, facts?.deletion?.heardAt);
  }

  /** A start was asked for: it is late if neither the answer nor a push comes. */
  startAsked(numero: string): void {
    this.#amend(numero, (facts) => ({ ...facts, startAskedAt: Date.now() }));
  }

  startAnswered(numero: string): void {
    this.#amend(numero, ({ startAskedAt: _, ...facts }) => facts);
  }

  /** An action failed: that counts until something else happens to the session. */
  failed(numero: string, failure: Failure): void {
    this.#amend(numero, (facts) => ({ ...facts, failure }));
    this.note(numero, failure.action === 'up' ? 'notStarted' : 'notDeleted', failure.error.message);
  }

  /** An action succeeded: that it had failed before no longer counts. */
  succeeded(numero: string): void {
    this.#amend(numero, ({ failure: _, ...facts }) => facts);
  }

  /** The operator wants to see the code of a session although its time is over. */
  trustCode(numero: string): void {
    this.#amend(numero, (facts) => {
      if (!facts.code) return facts;
      const code = { ...facts.code, trusted: true };
      return { ...facts, code, lastCode: code };
    });
  }

  /** Adds to the history of a session what does not change its status. */
  note(numero: string, what: Entry['what'], detail: string): void {
    const record = this.#records.get(numero);
    if (!record) return;
    const history = append(record.history, this.newEntry(what, record.session.state, detail));
    this.#set(numero, { ...record, history }, 'action');
  }

  /** Returns an entry for a history: no other of this panel has its id. */
  newEntry(what: Entry['what'], state: string, detail?: string): Entry {
    this.#lastEntry += 1;
    return { at: Date.now(), id: this.#lastEntry, what, state, ...(detail !== undefined && { detail }) };
  }

  /** A push may be lost, or a start ends codes early: the codes that are up tell nothing about lifetimes. */
  interrupted(): void {
    this.#interruptions += 1;
  }

  /** Records events from now on, until {@link closeJournal}. */
  openJournal(): Journal {
    const journal = new Journal();
    this.#journals.add(journal);
    return journal;
  }

  closeJournal(journal: Journal): void {
    this.#journals.delete(journal);
  }

  /** Stops looking at the clock. */
  stop(): void {
    this.#deadlines.close();
  }

  /** A step that is seen on the screen. */
  #advance(numero: string, cause: Cause, reported: Session, at = Date.now()): void {
    const record = this.#records.get(numero);
    const session = cause === 'closing' ? closing(reported) : reported;
    const step = { cause, session, before: record?.session, at, interruptions: this.#interruptions };
    const facts = factsAfter(record?.facts, step, this.#lifetime);
    const history = append(record?.history ?? [], this.newEntry(cause, session.state));
    this.#update(numero, cause, { session, reported, facts, history });
  }

  /** Keeps what the server says of a session whose deletion is under way: it shows if that fails. */
  #hide(record: SessionRecord, reported: Session, cause: Cause, heardAt?: number): void {
    const { deletion } = record.facts;
    const facts = { ...record.facts, ...(deletion && { deletion: { ...deletion, heardAt } }) };
    this.#set(reported.numero, { ...record, reported, facts }, cause);
  }

  #sort(numeros: readonly string[]): void {
    const records = this.#records;
    this.#records = new Map();
    for (const numero of numeros) {
      const record = records.get(numero);
      if (record) this.#records.set(numero, record);
    }
  }

  #amend(numero: string, change: (facts: Facts) => Facts): void {
    const record = this.#records.get(numero);
    if (record) this.#update(numero, 'action', { facts: change(record.facts) });
  }

  /** Changes a record, and works out its status at this moment. */
  #update(numero: string, cause: Change['cause'], change: Partial<SessionRecord>): void {
    const before = this.#records.get(numero);
    const { session, reported, facts, history = [] } = { ...before, ...change };
    if (!session || !reported || !facts) return;
    const status = keepIfEqual(before?.status, statusOf(session, facts, this.#lifetime, Date.now()));
    if (cause === 'time' && status === before?.status) return;
    this.#set(numero, { session, reported, facts, history, status }, cause);
  }

  /** The one place where what is known of a session changes. */
  #set(numero: string, now: SessionRecord | undefined, cause: Change['cause']): void {
    const before = this.#records.get(numero);
    if (now === before) return;
    if (now) this.#records.set(numero, now);
    else this.#records.delete(numero);
    if (before && now && isShownAlike(before, now)) return;
    this.#deadlines.set(numero, now?.status.changesAt);
    this.#watchers.call(numero);
    this.changes.call({ cause, numero, before, now });
  }
}

/** Whether two records differ only in what nobody sees, such as what is reported of a session that is being deleted. */
function isShownAlike(one: SessionRecord, other: SessionRecord): boolean {
  return one.session === other.session && one.status === other.status && one.history === other.history;
}
