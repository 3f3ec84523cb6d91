import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { Server } from 'node:http';
import ajvCompiler from '@fastify/ajv-compiler';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { ClientWarnings } from '../security/client-warnings.ts';
import { answerClientError, answerError, answerNotFound } from './errors.ts';

/** Largest body of a request, in bytes: a message of the longest text in the longest encoding. */
export const BODY_LIMIT = 512 * 1024;
/** Longest part of a path that is a parameter, in characters. */
export const PARAM_LIMIT = 100;
/** How long a request may take to arrive, headers and body, in milliseconds; its answer may take longer. */
const REQUEST_TIMEOUT = 30_000;
/** How often Node checks for requests that exceed this, in milliseconds. */
const TIMEOUT_CHECKS = 1_000;
/** How long a client may read nothing of its answer, in milliseconds: longer than most connections stall. */
const UNREAD_TIMEOUT = 30_000;

/**
 * Creates the HTTP server, without routes; its errors are answers of the contract.
 *
 * @param slack how many times longer than a client's a body or a parameter may be
 * @param requestIdHeader the header with the ids of requests; only for trusted callers. Default none: all get new ids
 */
export function createApp(
  trustProxy: readonly string[],
  logger: Logger,
  warnings: ClientWarnings,
  slack = 1,
  requestIdHeader = '',
): FastifyInstance {
  const loggerInstance: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader,
    genReqId: () => randomUUID(),
    bodyLimit: slack * BODY_LIMIT,
    routerOptions: { maxParamLength: slack * PARAM_LIMIT },
    // The default is ten seconds, in which a busy machine may not even have loaded the client library.
    pluginTimeout: 0,
    ajv: { customOptions: VALIDATION },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
    clientErrorHandler: answerClientError,
    requestTimeout: REQUEST_TIMEOUT,
    // Node applies the longer of the two timeouts to the body, and a minute to the headers by default.
    http: { headersTimeout: REQUEST_TIMEOUT, connectionsCheckingInterval: TIMEOUT_CHECKS },
    // `GET levanta` changes state, and so would its HEAD.
    exposeHeadRoutes: false,
    trustProxy: [...trustProxy],
  });
  app.decorateRequest('user');
  app.removeContentTypeParser('text/plain');
  const parse = app.getDefaultJsonParser('error', 'error');
  // Many clients name the type of a body that they do not send.
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null) : parse(request, body, done),
  );
  app.setErrorHandler<Error>(answerError);
  app.setNotFoundHandler(answerNotFound);
  logRequests(app, warnings);
  app.addHook('onClose', async () => warnings.flush());
  return app;
}

const headers = helmet({
  // Pages set their own policies, including pages that a program adds, and so do the calls.
  contentSecurityPolicy: false,
  // The proxy decides whether a whole host uses TLS.
  strictTransportSecurity: false,
});

/**
 * Sets the security headers of every answer, those of Socket.IO and of failures included, which @fastify/helmet would
 * not see; a route that needs others overrides them.
 */
export function securityHeaders(server: Server): void {
  server.prependListener('request', (request, response) => {
    headers(request, response, () => {});
  });
}

/**
 * Closes the connection of each client that has read nothing of its answer for `timeout` milliseconds; Node would keep
 * both.
 */
export function endUnread(server: Server, timeout = UNREAD_TIMEOUT): void {
  server.prependListener('request', (_request, response) => {
    const begin = () => response.setTimeout(timeout);
    // Not before the whole answer, or the file, is available: how long that takes is not up to the client.
    response.once('prefinish', begin);
    response.once('pipe', begin);
  });
}

/** Returns a function that resolves once no request waits for its answer. */
export function pendingAnswers(app: FastifyInstance): () => Promise<void> {
  const answers = new EventEmitter().setMaxListeners(0);
  let pending = 0;
  app.addHook('onRequest', async (_request, reply) => {
    pending += 1;
    // Unlike `onResponse`, also when the client has gone.
    reply.raw.once('close', () => {
      pending -= 1;
      if (pending === 0) answers.emit('none');
    });
  });
  return async () => {
    if (pending > 0) await once(answers, 'none');
  };
}

export const REQUEST_ID = 'x-request-id';

const TEXT = 'Request answered';

/**
 * Logs one line per answer, and tells the client its request's id. The line names the route's pattern and never the
 * URL, whose query may hold a token.
 */
function logRequests(app: FastifyInstance, warnings: ClientWarnings): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header(REQUEST_ID, request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode: status } = reply;
    const { method, ip: address, routeOptions, log } = request;
    const fields = { method, route: routeOptions.url, status, ms: Math.round(reply.elapsedTime), address };
    if (EVERYBODYS.has(status)) warnings.warn(log, TEXT, fields);
    else log[levelOf(status)](fields, TEXT);
  });
}

/** The failures that clients without a token can cause too: too many calls, and a gateway that is not ready. */
const EVERYBODYS = new Set([429, 503]);

/** 500 is a bug of ours; the source of other failures logs them, such as the disk or WhatsApp. */
function levelOf(status: number): 'debug' | 'warn' | 'error' {
  if (status === 500) return 'error';
  return status > 500 ? 'warn' : 'debug';
}

/** Payloads must match the contract exactly: no coercion, no silently dropped fields. */
export const VALIDATION = { coerceTypes: false, removeAdditional: false } as const;

/**
 * Compiles each of the gateway's own schemas once in a process, however many servers it has, and takes them for valid:
 * both were a large part of a start.
 */
const compile = ajvCompiler()({}, { customOptions: { ...VALIDATION, validateSchema: false } });

/**
 * Returns `app` for routes with schemas of the gateway, which are constants of modules: every schema that was ever
 * compiled is kept.
 */
export function typedRoutes(app: FastifyInstance) {
  return app.setValidatorCompiler(compile).withTypeProvider<TypeBoxTypeProvider>();
}
