import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { clientAddress } from '../security/addresses.ts';
import { type OriginPolicy, refusalOf } from '../security/origins.ts';
import { bearerOf, type TokenCheck } from '../security/tokens.ts';
import { sendDenial, sendError } from './errors.ts';
import { limitRates } from './limits.ts';

/** The headers of every answer to a call. */
export const CALL_HEADERS = {
  // Answers are only valid now.
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Answers requests of foreign pages to the routes of `app` with 403. */
export function refuseForeignPages(app: FastifyInstance, policy: OriginPolicy): void {
  app.addHook('onRequest', async ({ headers }, reply) => {
    const refusal = refusalOf(headers, policy);
    if (refusal !== undefined) return sendError(reply, 403, refusal);
  });
}

/**
 * Refuses requests from foreign pages and without the token to the routes that are added to `app` afterwards, allows
 * pages of `allowOrigins` by CORS with credentials, and limits the rates.
 */
export async function guard(app: FastifyInstance, policy: OriginPolicy, tokens: TokenCheck): Promise<void> {
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(CALL_HEADERS);
  });
  refuseForeignPages(app, policy);

  // Answers a preflight itself: that has no token, reveals only which methods exist, and counts towards no limit.
  await app.register(cors, {
    origin: [...policy.allowOrigins],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Content-Type', 'Authorization'],
    // Panels need it to compare the clocks.
    exposedHeaders: ['Date'],
    strictPreflight: false,
  });

  app.addHook('onRequest', async ({ headers, ip }, reply) => {
    const denial = tokens(bearerOf(headers.authorization), clientAddress(ip));
    if (denial) return sendDenial(reply, denial);
  });

  await limitRates(app);
}
