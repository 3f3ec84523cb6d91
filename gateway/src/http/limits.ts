import rateLimit, { type FastifyRateLimitStore } from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { clientAddress } from '../security/addresses.ts';
import { answerNotFound, HttpError } from './errors.ts';

/**
 * Rate limits per client address; `timeWindow` in milliseconds. All panels of an office may share one address, and
 * after an outage they reconnect at once, each fetching the list twice. Calls that reach WhatsApp are scarcer, since
 * too many of them get accounts banned.
 */
export const RATES = {
  calls: { max: 2_000, timeWindow: 40_000 },
  starts: { max: 200, timeWindow: 100_000 },
  messages: { max: 200, timeWindow: 100_000 },
  /** The limits of the page behind a link, for each session. */
  linked: { max: 20, timeWindow: 100_000 },
} as const;

/** How many clients each limit remembers; the one seen longest ago is dropped first. */
const CLIENTS = 10_000;

/**
 * Limits the calls to the routes of `app`, and to paths without a route: a route without a limit of its own
 * (`config.rateLimit`) has the common one.
 */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    ...RATES.calls,
    store: Counts,
    keyGenerator: ({ ip }) => clientAddress(ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new HttpError(429, `Demasiadas solicitudes: espera ${Math.ceil(ttl / 1_000)} s`),
  });
  // A handler of this scope, so that unknown paths pass its hooks as well.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, answerNotFound);
}

/**
 * Counts the calls of each client. The plugin's own store uses the time of day: after the clock is set back by a day,
 * it would refuse busy clients for that long.
 */
class Counts implements FastifyRateLimitStore {
  // `max` would reserve the memory for all clients, for each route.
  readonly #counts = new LRUCache<string, number>({ maxSize: CLIENTS, sizeCalculation: () => 1 });

  incr(
    client: string,
    done: (error: Error | null, result?: { current: number; ttl: number }) => void,
    timeWindow: number,
  ): void {
    const current = 1 + (this.#counts.get(client) ?? 0);
    this.#counts.set(client, current, current === 1 ? { ttl: timeWindow } : { noUpdateTTL: true });
    done(null, { current, ttl: this.#counts.getRemainingTTL(client) });
  }

  /** Returns the store of a route with a limit of its own. */
  child(): Counts {
    return new Counts();
  }
}
