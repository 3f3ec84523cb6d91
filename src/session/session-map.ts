import { keepIfEqual, Listeners } from '../observable.ts';
import { createDeadlines } from './clock.ts';
import { addTo, type Journal, type JournalEntry } from './journal.ts';
import { isShownAlike, type SessionRecord } from './record.ts';
import { reduce, type SessionAction } from './reducer.ts';
import {
  type Details,
  detailsAfter,
  type ListedSession,
  type Names,
  NO_DETAILS,
  next,
  type Session,
} from './session.ts';

/** A record before and after an action; undefined where the session is not listed. */
export interface Change {
  /** The type of the action. */
  readonly cause: SessionAction['type'];
  readonly numero: string;
  readonly before: SessionRecord | undefined;
  readonly now: SessionRecord | undefined;
}

/** Whether the panel saw the session drop: it was CONNECTED, and nobody ended that. */
export function hasDropped({ before, now }: Change): boolean {
  const droppedAt = now?.facts.droppedAt;
  return droppedAt !== undefined && droppedAt !== before?.facts.droppedAt;
}

export type SessionMap = ReturnType<typeof createSessionMap>;

/** What the panel knows of each session. Every change is an action, which {@link reduce} turns into the next record. */
export function createSessionMap() {
  /** Called after each change that can be seen. */
  const changes = new Listeners<[Change]>();
  /** In the server's order. */
  const records = new Map<string, SessionRecord>();
  let numeros: readonly string[] = [];
  /** Whether a session has come, gone or moved since. */
  let areNumerosOld = false;
  const journals = new Set<Journal>();
  const deadlines = createDeadlines((numero) => dispatch({ type: 'tick', numero }));
  let lastEntry = 0;
  let names: Names | undefined;
  let areDetailsShown = false;
  let dropsSeen = 0;

  /** The one place where what is known of a session changes. */
  function dispatch(action: SessionAction, now = Date.now()): void {
    const { type, numero } = action;
    if ('at' in action) for (const journal of journals) addTo(journal, { event: action, at: action.at });
    const before = records.get(numero);
    const after = reduce(before, {
      ...action,
      now,
      entryId: nextEntryId(),
      naming: names?.get(numero),
      areDetailsShown,
      dropsSeen,
    });
    if (after === before) return;
    if (!after || !before) areNumerosOld = true;
    if (after) records.set(numero, after);
    else records.delete(numero);
    if (before && after && isShownAlike(before, after)) return;
    deadlines.set(numero, after?.status.changesAt);
    changes.call({ cause: type, numero, before, now: after });
  }

  function configure(): void {
    for (const numero of records.keys()) dispatch({ type: 'configured', numero });
  }

  /** Returns an id for an entry of a history: a later one is higher. */
  function nextEntryId(): number {
    lastEntry += 1;
    return lastEntry;
  }

  return {
    changes,
    dispatch,
    nextEntryId,

    get size(): number {
      return records.size;
    },

    /** The numeros in the server's order: the same array until one comes, goes or moves. */
    get numeros(): readonly string[] {
      if (areNumerosOld) numeros = keepIfEqual(numeros, [...records.keys()]);
      areNumerosOld = false;
      return numeros;
    },

    /** The records in the server's order. */
    get records(): Iterable<SessionRecord> {
      return records.values();
    },

    /** Returns what is known of a session: the same object until something changes. */
    get: (numero: string): SessionRecord | undefined => records.get(numero),

    /** Replaces all sessions by the server's list. What happened since it was requested is newer, and stays. */
    replace(list: readonly ListedSession[], entries: readonly JournalEntry[]): void {
      const now = Date.now();
      const listed = new Map<string, { readonly session: Session; readonly details: Details }>();
      for (const { details = NO_DETAILS, ...session } of list)
        listed.set(session.numero, { session, details });
      for (const { event } of entries) {
        const { numero } = event;
        const before = listed.get(numero);
        const session = next(before?.session, event);
        if (session) listed.set(numero, { session, details: detailsAfter(before?.details, event) });
        else listed.delete(numero);
      }
      for (const numero of records.keys()) if (!listed.has(numero)) dispatch({ type: 'listed', numero });
      for (const [numero, item] of listed) {
        // One moment for all: the order of attention has the newest first.
        dispatch({ type: 'listed', numero, ...item }, now);
        const record = records.get(numero);
        // Setting an existing key would keep its old place in the order.
        records.delete(numero);
        if (record) records.set(numero, record);
      }
      areNumerosOld = true;
      // The list has no codes to type: those that were pushed since stay.
      for (const { event, at } of entries) if (event.type === 'code') dispatch({ ...event, at });
    },

    /** Sets the names that the host page gives: they win over the server's. */
    setNames(given: Names | undefined): void {
      names = given;
      configure();
    },

    /** Sets whether details are shown. */
    showDetails(shown: boolean): void {
      if (shown === areDetailsShown) return;
      areDetailsShown = shown;
      configure();
    },

    /** Sets until which moment the operator has seen what dropped, in milliseconds since 1970. */
    setDropsSeen(moment: number): void {
      dropsSeen = moment;
      configure();
    },

    /** Returns the answer to a call, and the events that were dispatched until it came, the oldest first. */
    async recorded<Answer>(call: Promise<Answer>): Promise<[Answer, readonly JournalEntry[]]> {
      const journal: Journal = new Map();
      journals.add(journal);
      try {
        return [await call, [...journal.values()]];
      } finally {
        journals.delete(journal);
      }
    },

    /** Stops looking at the clock. */
    stop: deadlines.close,
  };
}
