import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
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

/**
 * Limits the calls to the routes of `app`, and to paths without a route: a route without a limit of its own
 * (`config.rateLimit`) has the common one.
 */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    ...RATES.calls,
    keyGenerator: ({ ip }) => clientAddress(ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new HttpError(429, `Demasiadas solicitudes: espera ${Math.ceil(ttl / 1_000)} s`),
  });
  // A handler of this scope, so that unknown paths pass its hooks as well.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, answerNotFound);
}
