import { RequestError, toError } from '../server/http.ts';
import type { JournalEntry } from '../session/journal.ts';
import type { ListedSession } from '../session/session.ts';
import { type Shared, update } from './snapshot.ts';

/** Milliseconds between two polls: random between these, so that many panels do not ask together. */
const SHORTEST_MS = 15_000;
const LONGEST_MS = 30_000;

/** Milliseconds from a trigger to the request: pushes come in bursts. And how many more at random, as above. */
const DELAY_MS = 500;
const JITTER_MS = 1_500;
/** Milliseconds from an answer to the next request, however many triggers there are. */
const PAUSE_MS = 5_000;

/** Milliseconds in the background after which a page may have missed something. */
const AWAY_MS = 3_000;

/**
 * Says when to load the list again: soon where it may be wrong, and at intervals where no push would tell of changes. A hidden
 * page waits until it is visible.
 */
export class ListPoll {
  readonly #ask: () => void;
  readonly #stopping = new AbortController();
  /** Undefined in Node. */
  readonly #page: Document | undefined = globalThis.document;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next request is due, by a trigger and by the interval, in milliseconds since 1970. */
  #soonAt = Infinity;
  #pollAt = Infinity;
  /** When a trigger counts again: while a request is under way, another would only delay its answer. */
  #restUntil = 0;
  #hiddenAt = 0;

  constructor(ask: () => void) {
    this.#ask = ask;
    const { signal } = this.#stopping;
    this.#page?.addEventListener('visibilitychange', this.#turned, { signal });
    this.#page?.defaultView?.addEventListener('online', this.soon, { signal });
  }

  /** Asks no more. */
  stop(): void {
    this.#stopping.abort();
    this.#wait();
  }

  /** Switches the poll on or off. It starts with a wait. */
  set(on: boolean): void {
    if (on === this.#pollAt < Infinity) return;
    this.#pollAt = on ? nextPoll() : Infinity;
    this.#wait();
  }

  /** Asks once, since what the panel shows may be wrong, however often this is called until then. */
  readonly soon = (): void => {
    if (this.#soonAt < Infinity) return;
    this.#soonAt = Math.max(Date.now() + DELAY_MS, this.#restUntil) + Math.random() * JITTER_MS;
    this.#wait();
  };

  /** The list is being requested: it has what happened until now. */
  requested(): void {
    this.#soonAt = Infinity;
    this.#restUntil = Date.now() + LONGEST_MS;
    if (this.#pollAt < Infinity) this.#pollAt = nextPoll();
    this.#wait();
  }

  /** A request has ended. */
  answered(): void {
    this.#restUntil = Date.now() + PAUSE_MS;
    if (this.#soonAt === Infinity) return;
    this.#soonAt = Infinity;
    this.soon();
  }

  readonly #turned = (): void => {
    if (this.#page?.hidden) this.#hiddenAt = Date.now();
    else if (Date.now() - this.#hiddenAt > AWAY_MS) this.soon();
    this.#wait();
  };

  readonly #wait = (): void => {
    clearTimeout(this.#timer);
    const due = Math.min(this.#soonAt, this.#pollAt);
    if (due === Infinity || this.#page?.hidden || this.#stopping.signal.aborted) return;
    // A clock that was set back must not postpone it.
    this.#timer = setTimeout(this.#ask, Math.min(LONGEST_MS, Math.max(0, due - Date.now())));
  };
}

function nextPoll(): number {
  return Date.now() + SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS);
}

export type List = ReturnType<typeof createList>;

/**
 * Loads the server's list: when somebody asks for it, and by itself where the list that is shown may be wrong.
 * @param show - takes a list, and what happened since it was requested
 */
export function createList(
  { server, calls, sessions, snapshot, reporter }: Shared,
  show: (list: readonly ListedSession[], events: readonly JournalEntry[]) => void,
) {
  const poll = new ListPoll(() => {
    // An older request may only be slow; two that hang are enough.
    calls.abort('list', 1);
    // Of failures in a row only the first is reported.
    void load(() => !hasFailed);
  });
  let lastRequest = 0;
  /** Which request the list that is shown answered. */
  let shown = 0;
  /** Whether the last request that was answered had failed. */
  let hasFailed = false;

  async function load(isFailureReported: () => boolean): Promise<void> {
    lastRequest += 1;
    const id = lastRequest;
    poll.requested();
    try {
      const [list, events] = await sessions.recorded(calls.send('list', (signal) => server.list(signal)));
      hasFailed = false;
      // A list that was asked for before the one that is shown is older.
      if (id > shown) {
        shown = id;
        show(list, events);
      }
    } catch (error) {
      // One that was given up is no failure: its successor is under way.
      if (id < lastRequest && error instanceof RequestError && error.kind === 'aborted') return;
      if (isFailureReported()) reporter.fail(error, 'fetch');
      hasFailed = true;
      // A list that is shown stays; a later request may still be under way.
      if (snapshot.get().list !== 'ready' && id === lastRequest)
        update(snapshot, { list: 'failed', listError: toError(error).message });
    }
    poll.answered();
    setPoll();
  }

  /** Without a live connection nothing is pushed, and a list that could not be had may never be requested again. */
  function setPoll(): void {
    const { connected, list } = snapshot.get();
    poll.set(!connected || list !== 'ready' || hasFailed);
  }

  /** Loads the list. Never rejects: a failure is reported. */
  const refresh = (): Promise<void> => load(() => true);

  snapshot.subscribe(setPoll);
  setPoll();

  return {
    /** The number of the list that is shown: each has its own. */
    version: () => shown,
    refresh,

    /** Loads the list behind the overlay, and no longer waits for an earlier one. */
    fetch(): Promise<void> {
      calls.abort('list');
      update(snapshot, { list: 'loading' });
      return refresh();
    },

    /** Loads the list once where the one that is shown may be wrong, however often this is called until then. */
    soon: poll.soon,

    /** Stops for good. */
    stop(): void {
      poll.stop();
      lastRequest += 1;
      calls.abort('list');
    },
  };
}
