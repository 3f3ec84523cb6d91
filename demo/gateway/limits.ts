import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.ts';
import { type Rate, RateLimit } from './rate-limit.ts';
import { sendError } from './replies.ts';

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
