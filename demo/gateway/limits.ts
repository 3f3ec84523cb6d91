import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.ts';
import { type Rate, RateLimit } from './rate-limit.ts';
import { sendError } from './replies.ts';

/**
 * What one address may do. All the panels of an office can have the same one, and after a cut they all come back
 * at once, each asking for the list twice; what reaches WhatsApp is scarcer, since too much of it gets accounts
 * banned.
 */
export const RATES = {
  calls: { burst: 2_000, perSecond: 50 },
  starts: { burst: 200, perSecond: 2 },
  messages: { burst: 200, perSecond: 2 },
} as const satisfies Record<string, Rate>;

/** A hook that lets each address through no more often than the rate says, and tells the others when to come back. */
export function limited(rate: Rate) {
  const limit = new RateLimit(rate);
  return async ({ ip }: FastifyRequest, reply: FastifyReply) => {
    const client = clientAddress(ip);
    const seconds = limit.wait(client);
    if (seconds > 0) {
      reply.header('Retry-After', String(seconds));
      return sendError(reply, 429, `Demasiadas peticiones: espera ${seconds} s`);
    }
    limit.count(client);
  };
}
