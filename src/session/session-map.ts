import { keepIfEqual, Listeners } from '../observable.ts';
import { createDeadlines } from './clock.ts';
import { addTo, type Journal, type JournalEntry } from './journal.ts';
import { isShownAlike, type SessionRecord } from './record.ts';
import { type Context, reduce, type SessionAction } from './reducer.ts';
import {
  type Details,
  detailsAfter,
  type ListedSession,
  type Names,
  NO_DETAILS,
  next,
  type Session,
  sectionOf,
} from './session.ts';

/** A record before and after an action; undefined where the session is not shown. */
export interface Change {
  readonly cause: SessionAction['type'];
  readonly numero: string;
  readonly before: SessionRecord | undefined;
  readonly now: SessionRecord | undefined;
}

/** What of the sessions is shown, and how. */
export interface Configuration extends Pick<Context, 'areDetailsShown'> {
  readonly names: Names | undefined;
  /** The groups whose sessions are shown, separated by commas; all sessions where it is empty. */
  readonly group: string;
}

/** Whether the panel saw the session drop: it was CONNECTED, and nobody ended that. */
export function hasDropped({ before, now }: Pick<Change, 'before' | 'now'>): boolean {
  const droppedAt = now?.facts.droppedAt;
  // One that comes may have dropped long ago.
  return before !== undefined && droppedAt !== undefined && droppedAt !== before.facts.droppedAt;
}

export type SessionMap = ReturnType<typeof createSessionMap>;

/**
 * What the panel knows of each session. Every change is an action, which {@link reduce} turns into the next record. With
 * groups, a session that enters or leaves them comes or goes: only `all` has the others.
 */
export function createSessionMap() {
  /** Called after each change that can be seen. */
  const changes = new Listeners<[Change]>();
  /** In the server's order. */
  const all = new Map<string, SessionRecord>();
  /** Those of the groups: ones that have come since the last list are at its end. */
  const shown = new Map<string, SessionRecord>();
  let numeros: readonly string[] = [];
  /** Whether a session has come, gone or moved since. */
  let areNumerosOld = false;
  const journals = new Set<Journal>();
  const deadlines = createDeadlines((numero) => dispatch({ type: 'tick', numero }));
  let lastEntry = 0;
  let configuration: Configuration = { names: undefined, group: '', areDetailsShown: false };

  /** The one place where what is known of a session changes. */
  function dispatch(action: SessionAction, now = Date.now()): void {
    const { type, numero } = action;
    if ('at' in action) for (const journal of journals) addTo(journal, { event: action, at: action.at });
    const naming = configuration.names?.get(numero);
    const before = shown.get(numero);
    lastEntry += 1;
    const record = reduce(all.get(numero), {
      ...action,
      now,
      entryId: lastEntry,
      naming,
      ...configuration,
    });
    // By the group that the server tells even before its details are shown: no list is empty until then.
    const isShown = record && isIn(configuration.group, naming?.group ?? record.report.details.group);
    const after = isShown ? record : undefined;
    put(all, record);
    put(shown, after);
    if (after === before) return;
    if (!after || !before) areNumerosOld = true;
    else if (isShownAlike(before, after)) return;
    deadlines.set(numero, after?.status.changesAt);
    changes.call({ cause: type, numero, before, now: after });

    function put(records: typeof all, value: SessionRecord | undefined): void {
      // Setting an existing key would keep its old place in the order, which is the list's.
      if (!value || type === 'listed') records.delete(numero);
      if (value) records.set(numero, value);
    }
  }

  return {
    changes,
    dispatch,

    /** All that the server has, those of other groups too. */
    all: all as ReadonlyMap<string, SessionRecord>,

    /** The numeros in the server's order: the same array until one comes, goes or moves. */
    get numeros(): readonly string[] {
      if (areNumerosOld)
        numeros = keepIfEqual(
          numeros,
          [...all.keys()].filter((numero) => shown.has(numero)),
        );
      areNumerosOld = false;
      return numeros;
    },

    /** The records, in the server's order right after a list. */
    get records(): Iterable<SessionRecord> {
      return shown.values();
    },

    get: (numero: string): SessionRecord | undefined => shown.get(numero),

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
      for (const numero of all.keys()) if (!listed.has(numero)) dispatch({ type: 'listed', numero });
      for (const [numero, item] of listed) {
        // One moment for all: the order of attention has the newest first.
        dispatch({ type: 'listed', numero, ...item }, now);
      }
      areNumerosOld = true;
      // The list has no codes to type: those that were pushed since stay.
      for (const { event, at } of entries) if (event.type === 'code') dispatch({ ...event, at });
    },

    configure(change: Partial<Configuration>): void {
      const before = configuration;
      configuration = keepIfEqual(before, { ...before, ...change });
      if (configuration !== before) for (const numero of all.keys()) dispatch({ type: 'configured', numero });
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

    stop: deadlines.close,
  };
}

/** Whether a group is one of those that are separated by commas, or none is named. */
function isIn(groups: string, group: string | undefined): boolean {
  return !groups || groups.split(',').some((one) => sectionOf(one) === sectionOf(group));
}
