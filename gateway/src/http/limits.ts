import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../security/addresses.ts';
import { sendError } from './errors.ts';

/**
 * Rate limits per client address. All panels of an office may share one address, and after an outage they reconnect at
 * once, each fetching the list twice. Calls that reach WhatsApp are scarcer, since too many of them get accounts
 * banned.
 */
export const RATES = {
  calls: { burst: 2_000, perSecond: 50 },
  starts: { burst: 200, perSecond: 2 },
  messages: { burst: 200, perSecond: 2 },
} as const satisfies Record<string, Rate>;

/** Returns a hook that enforces a rate per client address, and tells clients when to retry. */
export function limited(rate: Rate) {
  const limit = new RateLimit(rate);
  return async ({ ip }: FastifyRequest, reply: FastifyReply) => {
    const client = clientAddress(ip);
    const seconds = limit.wait(client);
    if (seconds > 0) {
      reply.header('Retry-After', String(seconds));
      return sendError(reply, 429, `Demasiadas solicitudes: espera ${seconds} s`);
    }
    limit.count(client);
  };
}

/** A rate limit: `burst` times at once, then `perSecond` times a second. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** How many clients are remembered; the one seen longest ago is dropped first. */
const MAX_CLIENTS = 10_000;

/** A token bucket per client. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  /** Tokens left per client, and when that was, in milliseconds. Clients that are not here have all. */
  readonly #clients = new Map<string, { left: number; at: number }>();

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Returns the seconds that the client has to wait; 0 if it need not. */
  wait(client: string): number {
    const left = this.#left(client);
    return left >= 1 ? 0 : Math.ceil((1 - left) / this.#rate.perSecond);
  }

  /** Takes a token. */
  count(client: string): void {
    const left = Math.max(0, this.#left(client) - 1);
    this.#clients.delete(client);
    this.#clients.set(client, { left, at: this.#now() });
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined && this.#clients.size > MAX_CLIENTS) this.#clients.delete(oldest);
  }

  #left(client: string): number {
    const known = this.#clients.get(client);
    if (!known) return this.#rate.burst;
    const seconds = (this.#now() - known.at) / 1_000;
    return Math.min(this.#rate.burst, known.left + seconds * this.#rate.perSecond);
  }
}
