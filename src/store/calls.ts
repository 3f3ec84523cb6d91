import { RequestError } from '../server/http.ts';
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';

/** The result of an action: the numero of its session, or an error. */
export type Outcome = { readonly numero: string; readonly error?: undefined } | { readonly error: Error };

interface Request {
  readonly key: string;
  readonly controller: AbortController;
  /** In milliseconds of `performance.now()`: nobody can set that clock back. */
  readonly begun: number;
}

/** The reason of an abort after which the request is sent again. */
const RENEWED = Symbol('renewed');

/** Calls under way, by key: the operator's actions, and the requests that wait for an answer of the server. */
export function createCalls(t: Translate) {
  const abortion = (message = t(texts.aborted)) => new RequestError(message, { kind: 'aborted' });
  /** The last action of each key, and what it was to do. */
  const actions = new Map<string, { readonly what: string; readonly outcome: Promise<Outcome> }>();
  /** The oldest first. */
  const requests = new Set<Request>();
  const sent = (key: string): Request[] => [...requests].filter((request) => request.key === key);

  return {
    /**
     * Runs an action after the last one with this key, or returns the outcome of that one where it does the same.
     * @param action - never rejects
     */
    once(key: string, what: string, action: () => Promise<Outcome>): Promise<Outcome> {
      const last = actions.get(key);
      if (last?.what === what) return last.outcome;
      const outcome = (last ? last.outcome.then(action) : action()).finally(() => {
        if (actions.get(key)?.outcome === outcome) actions.delete(key);
      });
      actions.set(key, { what, outcome });
      return outcome;
    },

    get: (key: string): Promise<Outcome> | undefined => actions.get(key)?.outcome,

    /**
     * Sends a request, and sends it again each time it is renewed. When it is aborted or its time is over, the promise
     * rejects, whatever the request waits for: a page's token function may never answer.
     * @param timeout - in milliseconds; none by default
     */
    async send<Answer>(
      key: string,
      send: (signal: AbortSignal) => Promise<Answer>,
      timeout?: number,
    ): Promise<Answer> {
      for (;;) {
        // One signal for all: WebKitGTK 2.50 drops that of AbortSignal.any after some seconds, though a fetch uses it.
        const controller = new AbortController();
        const { signal } = controller;
        const aborted = new Promise<never>((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        });
        const timer =
          timeout && setTimeout(() => controller.abort(abortion(t(texts.timedOut, timeout))), timeout);
        const request = { key, controller, begun: performance.now() };
        requests.add(request);
        try {
          return await Promise.race([aborted, send(signal)]);
        } catch (error) {
          if (error !== RENEWED) throw error;
        } finally {
          clearTimeout(timer);
          requests.delete(request);
        }
      }
    },

    has: (key: string): boolean => sent(key).length > 0,

    /** Sends an unanswered request again; returns false where none is under way. */
    renew(key: string): boolean {
      const renewed = sent(key);
      for (const { controller } of renewed) controller.abort(RENEWED);
      return renewed.length > 0;
    },

    /** Makes the requests of a key fail, but for the latest ones. */
    abort(key: string, kept = 0): void {
      for (const { controller } of sent(key).toReversed().slice(kept)) controller.abort(abortion());
    },

    /** Makes the requests fail that have been waiting for this many milliseconds or longer. */
    abandon(ms: number): void {
      const latest = performance.now() - ms;
      for (const { controller, begun } of requests) if (begun <= latest) controller.abort(abortion());
    },
  };
}
