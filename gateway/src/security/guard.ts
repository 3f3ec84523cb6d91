import type { FastifyInstance } from 'fastify';
import { answerNotFound, sendError } from '../http/errors.ts';
import { limited, RATES } from '../http/limits.ts';
import { clientAddress } from './addresses.ts';
import { type OriginPolicy, refusalOf } from './origins.ts';
import { bearerOf, type TokenCheck } from './tokens.ts';

const HEADERS = {
  // Answers are only valid now.
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  Vary: 'Origin',
};

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, POST, DELETE',
  'Access-Control-Allow-Headers': 'Content-Type, Authorization',
};

/**
 * Refuses requests from foreign pages and without the token to the routes of `app`, and allows pages of `allowOrigins`
 * by CORS with credentials.
 */
export function guard(app: FastifyInstance, policy: OriginPolicy, tokens: TokenCheck): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS);
    const refusal = refusalOf(request.headers, policy);
    if (refusal !== undefined) return sendError(reply, 403, refusal);
    const { origin } = request.headers;
    if (origin !== undefined && policy.allowOrigins.includes(origin)) {
      reply.headers({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' });
    }
    // A preflight carries no token, reveals only which methods exist, and counts towards no limit.
    if (request.method === 'OPTIONS') return reply.headers(PREFLIGHT).code(204).send();
  });

  app.addHook('onRequest', async ({ headers, ip }, reply) => {
    const denial = tokens(bearerOf(headers.authorization), clientAddress(ip));
    if (!denial) return;
    if (denial.retryAfter === undefined) reply.header('WWW-Authenticate', 'Bearer');
    else reply.header('Retry-After', String(denial.retryAfter));
    return sendError(reply, denial.status, denial.message);
  });

  app.addHook('onRequest', limited(RATES.calls));

  // A handler of this scope, so that unknown paths pass the hooks above as well.
  app.setNotFoundHandler(answerNotFound);
}
