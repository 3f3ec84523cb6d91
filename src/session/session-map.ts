import { keepIfEqual, Listeners, Observable } from '../observable.ts';
import { createTimers } from './clock.ts';
import { addTo, type Journal } from './journal.ts';
import { type Context, looksEqual, reduce, type SessionAction, type SessionRecord } from './record.ts';
import { apply, type Description, type Names, type TimedEvent } from './session.ts';

/**
 * A record before and after an action; undefined where the session is not shown. Its status and its details are the same
 * objects unless they changed: a listener that shows nothing else can skip what changed neither.
 */
export interface Change {
  readonly cause: SessionAction['type'];
  readonly numero: string;
  readonly before: SessionRecord | undefined;
  readonly now: SessionRecord | undefined;
}

/** What of the sessions is shown, and how. */
export interface Configuration extends Pick<Context, 'group' | 'areDetailsShown'> {
  readonly names: Names | undefined;
}

/** Whether the panel saw the session drop: it was CONNECTED, and nobody ended that. */
export function hasDropped({ before, now }: Pick<Change, 'before' | 'now'>): boolean {
  const dropSeenAt = now?.dropSeenAt;
  // One that comes may have dropped long ago.
  return before !== undefined && dropSeenAt !== undefined && dropSeenAt !== before.dropSeenAt;
}

export type SessionMap = ReturnType<typeof createSessionMap>;

/**
 * What the panel knows of each session. Every change is an action, which {@link reduce} turns into the next record. With
 * groups, a session that enters or leaves them comes or goes: only `all` has the others.
 */
export function createSessionMap() {
  /** Called after each change that can be seen. */
  const changes = new Listeners<[Change]>();
  /** Those of other groups too, in the server's order: ones that have come since the last list are at its end. */
  const all = new Map<string, SessionRecord>();
  const numeros = new Observable<readonly string[]>([]);
  /** Whether a session has come, gone or moved since. */
  let areNumerosOld = false;
  const journals = new Set<Journal>();
  const timers = createTimers((numero) => dispatch({ type: 'tick', numero }));
  let lastEntry = 0;
  let configuration: Configuration = { names: undefined, group: '', areDetailsShown: false };

  /** The one place where what is known of a session changes. */
  function dispatch(action: SessionAction, now = Date.now()): void {
    const { type, numero } = action;
    if ('at' in action) for (const journal of journals) addTo(journal, action);
    lastEntry += 1;
    const naming = configuration.names?.get(numero);
    const record = all.get(numero);
    const next = reduce(record, action, { ...configuration, naming, now, entryId: lastEntry });
    // Setting an existing key would keep its old place in the order, which is the list's.
    if (!next || type === 'listed') all.delete(numero);
    if (next) all.set(numero, next);
    const before = shown(record);
    const after = shown(next);
    if (after === before) return;
    if (!after || !before) areNumerosOld = true;
    else if (looksEqual(before, after)) return;
    timers.set(numero, after?.status.changesAt);
    changes.call({ cause: type, numero, before, now: after });
  }

  /** Tells of the sessions that have come, gone or moved since: once for all of a flood or of a list. */
  function updateNumeros(): void {
    if (!areNumerosOld) return;
    areNumerosOld = false;
    const now = [...all.keys()].filter((numero) => shown(all.get(numero)));
    numeros.set(keepIfEqual(numeros.get(), now));
  }

  return {
    changes,
    dispatch,

    /** All that the server has, those of other groups too. */
    all: all as ReadonlyMap<string, SessionRecord>,

    /** Those that are shown, in the server's order, as of the last {@link updateNumeros}. */
    numeros,

    updateNumeros,

    /** The records, in the server's order right after a list. */
    get records(): readonly SessionRecord[] {
      return [...all.values()].filter(shown);
    },

    get: (numero: string): SessionRecord | undefined => shown(all.get(numero)),

    /** Replaces all sessions by the server's list. What happened since it was requested is newer, and stays. */
    replace(list: readonly Description[], events: readonly TimedEvent[]): void {
      const now = Date.now();
      const listed = new Map(list.map((description) => [description.session.numero, description]));
      for (const event of events) {
        const description = apply(listed.get(event.numero), event);
        if (description) listed.set(event.numero, description);
        else listed.delete(event.numero);
      }
      // One moment for all: the order of attention has the newest first.
      for (const numero of new Set([...listed.keys(), ...all.keys()]))
        dispatch({ type: 'listed', numero, description: listed.get(numero) }, now);
      areNumerosOld = true;
      // The list has no codes to type: those that were pushed since stay.
      for (const event of events) if (event.type === 'code') dispatch(event);
    },

    configure(change: Partial<Configuration>): void {
      const before = configuration;
      configuration = keepIfEqual(before, { ...before, ...change });
      if (configuration === before) return;
      for (const numero of all.keys()) dispatch({ type: 'configured', numero });
      updateNumeros();
    },

    /** Returns the answer to a call, and the events that were dispatched until it came, the oldest first. */
    async withEventsDuring<Answer>(call: Promise<Answer>): Promise<[Answer, readonly TimedEvent[]]> {
      const journal: Journal = new Map();
      journals.add(journal);
      try {
        return [await call, [...journal.values()]];
      } finally {
        journals.delete(journal);
      }
    },

    stop: timers.close,
  };
}

const shown = (record: SessionRecord | undefined) => (record?.isShown ? record : undefined);
