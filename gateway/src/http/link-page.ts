import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import { phaseOf } from '../../link-page/phase.ts';
import type { Audit } from '../audit.ts';
import { clientAddress } from '../security/addresses.ts';
import type { LinkDoor } from '../security/link-door.ts';
import type { OriginPolicy } from '../security/origins.ts';
import { bearerOf } from '../security/tokens.ts';
import { VISITOR } from '../security/users.ts';
import { Pairing } from '../wire-schemas.ts';
import { auditCalls } from './audit-calls.ts';
import { HttpError, sendDenial } from './errors.ts';
import { type Forward, sendAnswer } from './forward.ts';
import { CALL_HEADERS, decideTwice, refuseForeignPages } from './guard.ts';
import { limitLoad, limitRates, RATES } from './limits.ts';
import { fileHeaders } from './pages.ts';
import { withBody } from './routes.ts';
import { Challenge, ERRORS, Nothing, PasskeyAnswer } from './schemas.ts';
import { typedRoutes } from './server.ts';

const BUILT = fileURLToPath(new URL('../../link-page/dist', import.meta.url));

const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
};

/**
 * Serves the page behind a link at `/l/`, to everybody: the link's token is in the URL's fragment, which no browser
 * sends.
 */
export function linkPage(app: FastifyInstance): void {
  // Relative: a proxy may have removed a prefix.
  app.get('/l', (_request, reply) => reply.headers(PAGE_HEADERS).redirect('l/', 308));
  app.register(fastifyStatic, {
    root: BUILT,
    prefix: '/l/',
    preCompressed: true,
    cacheControl: false,
    etag: false,
    lastModified: false,
    decorateReply: false,
    setHeaders: fileHeaders(PAGE_HEADERS),
  });
}

/**
 * Registers the page's calls for its one session, relative to `/l/api`, guarded by the link's token.
 *
 * @param forward for sessions that other gateways own
 */
export async function linkCalls(
  app: FastifyInstance,
  policy: OriginPolicy,
  door: LinkDoor,
  audit?: Audit,
  forward?: Forward,
): Promise<void> {
  const numeros = new WeakMap<FastifyRequest, string>();
  const numeroOf = (request: FastifyRequest) => numeros.get(request) ?? '';
  if (audit) auditCalls(app, audit, numeroOf);

  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(CALL_HEADERS);
  });
  limitLoad(app);
  refuseForeignPages(app, policy);
  decideTwice(app, async (request, reply) => {
    const { headers, ip } = request;
    const entered = await door.enter(bearerOf(headers.authorization), clientAddress(ip));
    if (typeof entered !== 'string') return sendDenial(reply, entered);
    numeros.set(request, entered);
    request.user = VISITOR;
  });
  await limitRates(app);

  const typed = typedRoutes(app);
  // The person with the link is not the operator: the limit counts by session, wherever the calls come from.
  const rateLimit = { ...RATES.linked, keyGenerator: numeroOf };

  typed.post(
    '/pairing',
    { config: { right: 'codes', rateLimit }, schema: { response: { 200: Pairing, ...ERRORS } } },
    async (request, reply) => {
      const numero = numeroOf(request);
      const path = `/api/session/${encodeURIComponent(numero)}/pairing`;
      const answer = await forward?.(request, numero, { method: 'POST', path });
      return answer ? sendAnswer(reply, answer) : door.sessions.pair(numero);
    },
  );

  const passkeyPath = (numero: string) => `/api/session/${encodeURIComponent(numero)}/passkey`;

  typed.get(
    '/passkey',
    { config: { right: 'codes', rateLimit }, schema: { response: { 200: Challenge, ...ERRORS } } },
    async (request, reply) => {
      const numero = numeroOf(request);
      const answer = await forward?.(request, numero, { method: 'GET', path: passkeyPath(numero) });
      return answer ? sendAnswer(reply, answer) : door.sessions.passkeyChallenge(numero);
    },
  );

  typed.post(
    '/passkey',
    {
      config: { right: 'codes', rateLimit },
      schema: { body: PasskeyAnswer, response: { 202: Nothing, ...ERRORS } },
      preValidation: withBody,
    },
    async (request, reply) => {
      const numero = numeroOf(request);
      const answer = await forward?.(request, numero, {
        method: 'POST',
        path: passkeyPath(numero),
        // As for the other forwarded calls.
        body: Value.Clean(PasskeyAnswer, request.body),
      });
      if (answer) return sendAnswer(reply, answer);
      await door.sessions.passkey(numero, request.body.assertion);
      return reply.code(202).send();
    },
  );

  typed.post(
    '/start',
    { config: { right: 'start', rateLimit }, schema: { response: { 204: Nothing, ...ERRORS } } },
    async (request, reply) => {
      const numero = numeroOf(request);
      const view = door.view(numero);
      // A start would interrupt it.
      if (!view || phaseOf(view) !== 'stopped') {
        throw new HttpError(409, 'No hace falta otro código en este momento.');
      }
      const path = `/api/session/levanta/${encodeURIComponent(numero)}`;
      const answer = await forward?.(request, numero, { method: 'GET', path });
      if (answer && answer.status !== 200) return sendAnswer(reply, answer);
      if (!answer) await door.sessions.start(numero, VISITOR.name);
      return reply.code(204).send();
    },
  );
}
