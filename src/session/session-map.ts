/** What the panel knows of each session, in one map. Every change of a record goes through one method. */
import { keepIfEqual } from '../keep-if-equal.ts';
import { KeyedListeners, Listeners } from '../observable.ts';
import { STATES } from '../wire.ts';
import { type Ack, afterAck, type LastMessage } from './acks.ts';
import { CodeLifetime } from './code-lifetime.ts';
import { Deadlines } from './deadlines.ts';
import {
  type Details,
  type DetailsChange,
  detailsAfter,
  keepDetails,
  type Names,
  NO_DETAILS,
  type Pairing,
} from './details.ts';
import { type Facts, type Failure, factsAfter } from './facts.ts';
import { append, type Entry } from './history.ts';
import { Journal } from './journal.ts';
import {
  type Aside,
  type Cause,
  closing,
  type ListedSession,
  next,
  type Session,
  type SessionEvent,
} from './session.ts';
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
  /** The details as the server last gave them. */
  readonly given: Details;
  /** The details as they are to be shown. The same object while they say the same. */
  readonly details: Details;
  /** The code to type on the phone: until it is over, or the session is CONNECTED. */
  readonly pairing?: Pairing | undefined;
  /** The last test message that was accepted, where the server tells what becomes of it. */
  readonly lastMessage?: LastMessage;
}

/** A record before and after a change; undefined where the session is not listed. */
export interface Change {
  /**
   * `time`: only time has passed; `action`: the operator did something, or its call ended; `details`: more is known of it,
   * and nothing has happened to it.
   */
  readonly cause: Cause | 'time' | 'action' | 'details';
  readonly numero: string;
  readonly before: SessionRecord | undefined;
  readonly now: SessionRecord | undefined;
}

/** When a step happened, if not now, and the details that came with it. */
interface Step {
  readonly at?: number | undefined;
  readonly details?: Details | undefined;
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
  #names: Names | undefined;
  #areDetailsShown = false;

  get size(): number {
    return this.#records.size;
  }

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
    if (event.type === 'details' || event.type === 'code') {
      this.#learn(event);
      return;
    }
    const { type, numero } = event;
    const details = event.type === 'created' ? event.details : undefined;
    const record = this.#records.get(numero);
    const reported = next(record?.reported, event);
    if (!reported) this.#set(numero, undefined, type);
    else if (record?.facts.deletion) this.#hide(record, reported, type, Date.now());
    else if (reported !== record?.reported) this.#advance(numero, type, reported, { at, details });
    if (details) this.#give(numero, details);
  }

  /** Replaces all sessions by the server's list. What happened since it was asked for is newer, and stays. */
  replace(list: readonly ListedSession[], { entries }: Journal): void {
    const listed = new Map<string, Session>();
    const given = new Map<string, Details>();
    for (const { details = NO_DETAILS, ...session } of list) {
      listed.set(session.numero, session);
      given.set(session.numero, details);
    }
    for (const { event } of entries) {
      const session = next(listed.get(event.numero), event);
      if (session) listed.set(event.numero, session);
      else listed.delete(event.numero);
      if (event.type === 'created') given.set(event.numero, event.details);
      if (event.type === 'details')
        given.set(event.numero, detailsAfter(given.get(event.numero) ?? NO_DETAILS, event.change));
    }
    for (const [numero, session] of listed) {
      const record = this.#records.get(numero);
      const reported = keepIfEqual(record?.reported, session);
      if (record?.facts.deletion) this.#hide(record, reported, 'listed', record.facts.deletion.heardAt);
      else if (reported !== record?.reported)
        this.#advance(numero, 'listed', reported, { details: given.get(numero) });
    }
    for (const numero of this.numeros) if (!listed.has(numero)) this.#set(numero, undefined, 'listed');
    for (const [numero, details] of given) this.#give(numero, details);
    for (const { event } of entries) if (event.type === 'code') this.#learn(event);
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
    if (reported) this.#advance(numero, 'reopened', reported, { at: facts?.deletion?.heardAt });
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

  /** The names that the host page gives: they win over the server's. */
  setNames(names: Names | undefined): void {
    this.#names = names;
    this.#updateAll();
  }

  /** Whether what the server tells beside the state is shown. */
  showDetails(shown: boolean): void {
    if (shown === this.#areDetailsShown) return;
    this.#areDetailsShown = shown;
    this.#updateAll();
  }

  /** The codes to type on the phone may be over. */
  dropPairings(): void {
    for (const { session, pairing } of this.records)
      if (pairing) this.#update(session.numero, 'details', { pairing: undefined });
  }

  /** A test message was accepted. */
  sent(numero: string, lastMessage: LastMessage): void {
    this.#update(numero, 'action', { lastMessage });
  }

  /** Something became of a message. */
  acked(numero: string, ack: Ack): void {
    const { lastMessage } = this.#records.get(numero) ?? {};
    if (lastMessage) this.#update(numero, 'details', { lastMessage: afterAck(lastMessage, ack, Date.now()) });
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

  /** A step that is seen on the screen. Details that came with it count at once: the reason says whether it has dropped. */
  #advance(numero: string, cause: Cause, reported: Session, { at = Date.now(), details }: Step = {}): void {
    const record = this.#records.get(numero);
    const known = record?.given ?? NO_DETAILS;
    const given = details ? keepDetails(known, details) : known;
    const session = cause === 'closing' ? closing(reported) : reported;
    const before = record?.session;
    const reason = this.#shown(numero, given, record?.details ?? NO_DETAILS).reason?.code;
    const step = { cause, session, before, reason, at, interruptions: this.#interruptions };
    const facts = factsAfter(record?.facts, step, this.#lifetime);
    const history = append(record?.history ?? [], this.newEntry(cause, session.state));
    // A code to type belongs to the start before, or what became of it was pushed to nobody.
    const isOver = cause === 'started' || cause === 'listed';
    this.#update(numero, cause, {
      session,
      reported,
      facts,
      history,
      given,
      ...(isOver && { pairing: undefined }),
    });
  }

  /** Takes what a server tells beside the state. */
  #learn(event: Aside): void {
    const { numero } = event;
    const record = this.#records.get(numero);
    if (event.type === 'code') this.#update(numero, 'details', { pairing: event.pairing });
    else if (record) this.#give(numero, detailsAfter(record.given, event.change));
  }

  #give(numero: string, details: DetailsChange): void {
    const record = this.#records.get(numero);
    const given = record && keepDetails(record.given, details);
    if (given !== record?.given) this.#update(numero, 'details', { given });
  }

  #updateAll(): void {
    for (const numero of this.#records.keys()) this.#update(numero, 'details', {});
  }

  /** What is shown of what the server and the host page say. */
  #shown(numero: string, given: Details, before: Details): Details {
    const told = this.#areDetailsShown ? given : NO_DETAILS;
    const { label = told.label, group = told.group } = this.#names?.get(numero) ?? {};
    return keepDetails(before, { ...told, label, group });
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
    const { session, reported, facts, history = [], given = NO_DETAILS, ...more } = { ...before, ...change };
    if (!session || !reported || !facts) return;
    // That time has passed is told apart: a screen reader hears of it.
    const status =
      before && cause === 'details'
        ? before.status
        : keepIfEqual(before?.status, statusOf(session, facts, this.#lifetime, Date.now()));
    if (cause === 'time' && status === before?.status) return;
    const details = this.#shown(numero, given, more.details ?? NO_DETAILS);
    const pairing = session.state === STATES.connected ? undefined : more.pairing;
    this.#set(numero, { ...more, session, reported, facts, history, given, details, pairing, status }, cause);
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

const SHOWN = ['session', 'status', 'history', 'details', 'pairing', 'lastMessage'] as const;

/** Whether two records differ only in what nobody sees, such as what is reported of a session that is being deleted. */
function isShownAlike(one: SessionRecord, other: SessionRecord): boolean {
  return SHOWN.every((field) => one[field] === other[field]);
}
