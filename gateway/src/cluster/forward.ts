import { createHash, timingSafeEqual } from 'node:crypto';
import replyFrom, { type FastifyReplyFromOptions } from '@fastify/reply-from';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from '../http/errors.ts';
import { MESSAGE, START } from '../http/routes.ts';
import { SECRET_HEADER } from './advertise.ts';
import type { ClusteredSessions, Target } from './clustered-sessions.ts';
import type { Member } from './member.ts';

/** The header with the node that a call is for: its URL may be another one's by now. */
const NODE_HEADER = 'x-wo-node';
/** Under this path gateways answer each other. */
export const CLUSTER_PREFIX = '/cluster';
/** Longest wait for another gateway, in milliseconds: to connect, and for its answer while it lives. */
const CONNECT_TIMEOUT = 3_000;
const ANSWER_TIMEOUT = 60_000;
/** How often it is checked that the other gateway lives, in milliseconds. */
const LOOK = 500;
/** Seconds until a call may succeed: by then another gateway has taken the session over, or begun to. */
const RETRY_AFTER = 5;

const OPTIONS: FastifyReplyFromOptions = {
  disableRequestLogging: true,
  undici: {
    connect: { timeout: CONNECT_TIMEOUT },
    headersTimeout: ANSWER_TIMEOUT,
    bodyTimeout: ANSWER_TIMEOUT,
  },
};

/** Forwards the calls of `api` for sessions of other gateways, after all checks. */
export async function forwardCalls(api: FastifyInstance, sessions: ClusteredSessions): Promise<void> {
  await api.register(replyFrom, OPTIONS);
  api.addHook('preHandler', async (request, reply) => {
    const numero = numeroOf(request);
    if (numero === undefined) return;
    const target = await sessions.targetOf(numero, isStart(request));
    if (target) return forward(request, reply, target, sessions.member);
  });
}

/** A call to another gateway: one of its routes. */
export interface ForwardedCall {
  readonly method: 'GET' | 'POST';
  readonly url: string;
}

/**
 * Forwards a call about a session to the gateway that carries it, as another call. Resolves with undefined if that is
 * this one.
 */
export type Forward = (
  request: FastifyRequest,
  reply: FastifyReply,
  numero: string,
  call: ForwardedCall,
) => Promise<FastifyReply | undefined>;

/** Lets the routes of `app` forward single calls. */
export async function forwarding(app: FastifyInstance, sessions: ClusteredSessions): Promise<Forward> {
  await app.register(replyFrom, OPTIONS);
  return async (request, reply, numero, call) => {
    const target = await sessions.targetOf(numero, false);
    return target && forward(request, reply, target, sessions.member, call);
  };
}

function forward(
  request: FastifyRequest,
  reply: FastifyReply,
  target: Target,
  member: Member,
  { method, url }: Partial<ForwardedCall> = {},
): FastifyReply {
  request.log.debug({ node: target.url }, 'Call forwarded');
  const answered = watch(target, member, () => {
    request.log.warn({ node: target.url }, 'Another gateway has died during a call.');
    answerUnanswered(request, reply);
  });
  // Whoever called may go first.
  reply.raw.once('close', answered);
  return reply.from(`${target.url}${CLUSTER_PREFIX}${url ?? request.url}`, {
    ...(method && { method }),
    // By default it repeats what is answered with 503, which is up to the client.
    retryDelay: () => null,
    rewriteRequestHeaders: (_request, { 'content-type': type, 'content-length': length, accept }) => ({
      ...(type !== undefined && { 'content-type': type }),
      ...(length !== undefined && { 'content-length': length }),
      ...(accept !== undefined && { accept }),
      [SECRET_HEADER]: member.secret,
      [NODE_HEADER]: target.id,
    }),
    // This gateway answers its own client.
    rewriteHeaders: ({ 'content-type': type, 'retry-after': retryAfter }) => ({
      ...(type !== undefined && { 'content-type': type }),
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    }),
    onResponse: (_request, _reply, response) => {
      answered();
      const stream = 'stream' in response ? response.stream : undefined;
      if (reply.sent) stream?.destroy();
      // What the other gateway has pushed must not arrive here after its answer.
      else void member.settle().then(() => reply.send(stream));
    },
    onError: (_reply, { error }) => {
      answered();
      const reason = reasonOf(error);
      request.log.warn({ node: target.url, reason }, 'Another gateway did not answer.');
      if (UNREACHED.includes(reason)) answerUnreached(reply);
      else answerUnanswered(request, reply);
    },
  });
}

/**
 * Calls `gone` once the gateways have declared another one dead, whose sessions they then take: its own answer may come
 * much later, or never. Returns a function that ends the watch.
 */
function watch({ id }: Target, member: Member, gone: () => void): () => void {
  // One that has just joined is not known yet.
  let isKnown = false;
  const timer = setInterval(() => {
    const isAlive = member.nodes.some((node) => node.id === id);
    isKnown ||= isAlive;
    if (!isKnown || isAlive) return;
    clearInterval(timer);
    gone();
  }, LOOK);
  return () => clearInterval(timer);
}

/** Errors of calls that have not reached the other gateway. */
const UNREACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'];

/** Answers a call that may have reached the other gateway. */
function answerUnanswered(request: FastifyRequest, reply: FastifyReply): void {
  // All others can be repeated.
  if (!request.routeOptions.url?.endsWith(MESSAGE)) {
    answerUnreached(reply);
    return;
  }
  sendError(
    reply,
    504,
    'El servidor que lleva la sesión ha dejado de responder: puede que el mensaje no llegue',
  );
}

function answerUnreached(reply: FastifyReply): void {
  reply.header('Retry-After', String(RETRY_AFTER));
  sendError(
    reply,
    503,
    'El servidor que lleva la sesión no responde, y otro la tomará: inténtalo de nuevo en unos segundos',
  );
}

function reasonOf(error: Error): string {
  const { cause = error } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
}

/** Whether a call creates the session if there is none. */
function isStart({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.endsWith(START) ?? false;
}

/** Returns the numero that a call is about. */
function numeroOf({ params, body }: FastifyRequest): string | undefined {
  if (hasNumero(params)) return params.numero;
  return hasSender(body) ? body.remitente : undefined;
}

function hasNumero(params: unknown): params is { numero: string } {
  return (
    typeof params === 'object' && params !== null && 'numero' in params && typeof params.numero === 'string'
  );
}

function hasSender(body: unknown): body is { remitente: string } {
  return (
    typeof body === 'object' && body !== null && 'remitente' in body && typeof body.remitente === 'string'
  );
}

/** Refuses calls to the routes of `app` that do not come from a gateway of this cluster, or are for another one. */
export function guardCluster(app: FastifyInstance, member: Member): void {
  app.addHook('onRequest', async ({ headers, ip, log }, reply) => {
    reply.header('Cache-Control', 'no-store');
    if (!isSecret(headers[SECRET_HEADER], member.secret)) {
      log.warn({ address: ip }, 'A call to this gateway had the wrong secret.');
      return sendError(reply, 403, 'Solo para otros servidores del mismo grupo');
    }
    const node = headers[NODE_HEADER];
    if (node === undefined || node === member.id) return;
    reply.header('Retry-After', String(RETRY_AFTER));
    return sendError(
      reply,
      503,
      'La sesión está pasando a otro servidor: inténtalo de nuevo en unos segundos',
    );
  });
  app.get('/node', { schema: { response: { 200: Type.Object({ id: Type.String() }) } } }, () => ({
    id: member.process,
  }));
}

function isSecret(given: unknown, secret: string): boolean {
  return typeof given === 'string' && secret !== '' && timingSafeEqual(hash(given), hash(secret));
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
