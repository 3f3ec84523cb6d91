import { getHeapStatistics } from 'node:v8';
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
 * The process is overloaded while turns of its event loop keep it busy for `delay` milliseconds, several in a row, or
 * while the heap is nearly full, where Node would end the process. One long turn is a start; and a process that does
 * not run, since the machine is stopped or busy with others, is only slow, which is better than refusing calls.
 */
const OVERLOAD = {
  delay: 5_000,
  turns: 3,
  heapUsed: 0.9 * getHeapStatistics().heap_size_limit,
  /** Seconds until a client should try again. */
  retryAfter: 10,
};

const OVERLOADED = `El servidor está sobrecargado: inténtalo de nuevo en ${OVERLOAD.retryAfter} s.`;

/** How often the event loop and the heap are checked, in milliseconds. */
const LOAD_CHECKS = 1_000;

/**
 * Limits the calls to the routes of `app`, and to paths without a route: a route without a limit of its own
 * (`config.rateLimit`) has the common one.
 */
export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    ...RATES.calls,
    keyGenerator: ({ ip }) => clientAddress(ip),
    errorResponseBuilder: (_request, { ttl }) =>
      new HttpError(429, `Demasiadas solicitudes: espera ${Math.ceil(ttl / 1_000)} s.`),
  });
  // A handler of this scope, so that unknown paths pass its hooks as well.
  app.setNotFoundHandler({ preHandler: app.rateLimit() }, answerNotFound);
}

/** Answers the calls to the routes of `app` with 503 while the process is overloaded. */
export function limitLoad(app: FastifyInstance): void {
  let isOverloaded = false;
  let longTurns = 0;
  let begun = performance.now();
  let spent = process.cpuUsage();
  const check = () => {
    const { user, system } = process.cpuUsage(spent);
    // The processor's time is that of all threads.
    const busy = Math.min(performance.now() - begun, (user + system) / 1_000);
    longTurns = busy > OVERLOAD.delay ? longTurns + 1 : 0;
    isOverloaded = longTurns >= OVERLOAD.turns || process.memoryUsage().heapUsed > OVERLOAD.heapUsed;
    begun = performance.now();
    spent = process.cpuUsage();
  };
  const timer = setInterval(check, LOAD_CHECKS).unref();
  app.addHook('onClose', async () => clearInterval(timer));
  app.addHook('onRequest', async () => {
    if (isOverloaded) throw new HttpError(503, OVERLOADED, OVERLOAD.retryAfter);
  });
}
