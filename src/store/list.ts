import { factsOf, wordsOf } from '../server/errors.ts';
import type { Description, TimedEvent } from '../session/session.ts';
import type { Calls } from './calls.ts';
import type { Shared } from './shared.ts';

/** Milliseconds between two polls: a random number between these, so that many panels do not poll together. */
const SHORTEST_MS = 15_000;
const LONGEST_MS = 30_000;

/** Milliseconds from a trigger to the request, since pushes come in bursts, and the most that are added at random. */
const DELAY_MS = 500;
const JITTER_MS = 1_500;
/** Milliseconds from an answer to the next request, however many triggers there are. */
const PAUSE_MS = 5_000;

/** Milliseconds in the background after which a page may have missed something. */
const AWAY_MS = 3_000;

/**
 * Loads the server's list: on request, soon where the list that is shown may be wrong, and at intervals where no push would
 * tell of changes. A hidden page waits until it is visible.
 *
 * @param show - takes a list, and what happened since it was requested
 */
export function createList(
  { server, t, snapshot, update, fail, report }: Shared,
  calls: Calls,
  show: (list: readonly Description[], events: readonly TimedEvent[]) => void,
) {
  /** Undefined in Node. */
  const page: Document | undefined = globalThis.document;
  const stopping = new AbortController();
  const { signal } = stopping;
  let lastRequest = 0;
  /** Which request the list that is shown answered. */
  let shown = 0;
  /** Whether the last request that was answered had failed. */
  let hasFailed = false;
  /** Whether something has happened since the last request that the list may not show. */
  let isDoubted = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next request is due, in milliseconds of `performance.now()`: nobody can set that clock back. */
  let due = Infinity;
  /** No trigger causes a request before this: while one is under way, another would only delay its answer. */
  let restUntil = 0;
  let hiddenAt = 0;

  /** @param isAsked - whether every failure is reported; of polls that fail in a row, only the first is */
  async function load(isAsked: boolean): Promise<void> {
    lastRequest += 1;
    const id = lastRequest;
    isDoubted = false;
    due = Infinity;
    rest(LONGEST_MS);
    try {
      const { error, list = [], pushed = [] } = await calls.run('fetch', '');
      if (error) throw error;
      hasFailed = false;
      // A list that was requested before the one that is shown is older.
      if (id > shown) {
        shown = id;
        show(list, pushed);
      }
    } catch (error) {
      // An aborted request is no failure: the next one is under way.
      if (id < lastRequest && factsOf(error).kind === 'aborted') return;
      // One failure, however often it was requested.
      const isNews = isAsked || !hasFailed;
      if (isNews && server.numero === undefined) fail(error, 'fetch', { replaceKey: 'fetch' });
      // In the place of one session there is room to say so, and many may share a list.
      else if (isNews) report(error, 'fetch');
      hasFailed = true;
      // A list that is shown stays; a later request may still be under way.
      if (snapshot.get().list !== 'ready' && id === lastRequest) {
        // The notice has the term of HTTP.
        update({ list: 'failed', listError: wordsOf(t, error) });
      }
    }
    rest(PAUSE_MS);
  }

  function rest(ms: number): void {
    restUntil = performance.now() + ms;
    due = Math.max(due, restUntil);
    plan();
  }

  /** Without a live connection nothing is pushed, and a list that failed to load may never be requested again. */
  function plan(): void {
    const { connected, list } = snapshot.get();
    const now = performance.now();
    if (isDoubted) due = Math.min(due, Math.max(now + DELAY_MS, restUntil) + Math.random() * JITTER_MS);
    else if (connected && list === 'ready' && !hasFailed) due = Infinity;
    else due = Math.min(due, now + SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS));
    wait();
  }

  function wait(): void {
    clearTimeout(timer);
    if (due < Infinity && !page?.hidden && !signal.aborted)
      timer = setTimeout(poll, Math.max(0, due - performance.now()));
  }

  function poll(): void {
    // An older request may only be slow; two that hang are enough.
    calls.abortLoads(1);
    void load(false);
  }

  /** Loads the list once where the one that is shown may be wrong, however often this is called until then. */
  function soon(): void {
    if (isDoubted) return;
    isDoubted = true;
    plan();
  }

  function turned(): void {
    if (page?.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > AWAY_MS) soon();
    wait();
  }

  page?.addEventListener('visibilitychange', turned, { signal });
  page?.defaultView?.addEventListener('online', soon, { signal });
  // What is planned stays.
  snapshot.subscribe(() => due === Infinity && plan());

  return {
    soon,

    /** Never rejects: a failure is reported. */
    refresh: (): Promise<void> => load(true),

    /** Takes part in a load that another panel has begun. */
    follow: (): void => void load(false),

    /** Loads the list behind the overlay, and no longer waits for an earlier one. */
    fetch(): Promise<void> {
      calls.abortLoads();
      update({ list: 'loading' });
      return load(true);
    },

    stop(): void {
      stopping.abort();
      wait();
      lastRequest += 1;
      calls.abortLoads();
    },
  };
}
