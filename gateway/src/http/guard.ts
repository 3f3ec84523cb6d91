import cors from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Audit } from '../audit.ts';
import { clientAddress } from '../security/addresses.ts';
import { type Admission, isAdmitted } from '../security/admission.ts';
import { type OriginPolicy, refusalOf } from '../security/origins.ts';
import { bearerOf } from '../security/tokens.ts';
import { auditCalls } from './audit-calls.ts';
import { sendDenial, sendError } from './errors.ts';
import { numeroOf } from './forward.ts';
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
 * Has a hook of `app` decide who may call: before the body is read, so that strangers send none, and again once it is
 * there, since half a minute may have passed.
 */
export function decideTwice(
  app: FastifyInstance,
  decide: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  app.addHook('onRequest', decide);
  app.addHook('preValidation', decide);
}

/**
 * Refuses requests from foreign pages and without a valid token to the routes that are added to `app` afterwards, allows
 * pages of `allowOrigins` by CORS with credentials, and limits the rates.
 */
export async function guard(
  app: FastifyInstance,
  policy: OriginPolicy,
  admission: Admission,
  audit: Audit | undefined,
): Promise<void> {
  if (audit) auditCalls(app, audit, numeroOf);
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

  decideTwice(app, async (request, reply) => {
    const { headers, ip } = request;
    const admitted = await admission.admit(bearerOf(headers.authorization), clientAddress(ip));
    if (!isAdmitted(admitted)) return sendDenial(reply, admitted);
    request.user = admitted.user;
  });

  await limitRates(app);
}
