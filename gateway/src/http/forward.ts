import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Target } from '../cluster/caller.ts';
import type { PostgresCluster } from '../cluster/cluster.ts';
import type { Member } from '../cluster/member.ts';
import type { RouteAnswer, RouteCall } from '../cluster/sealed.ts';
import { reasonOf } from '../ledger/operations.ts';
import { HttpError } from './errors.ts';
import { MAX_CONTACTS, MESSAGE, START } from './routes.ts';
import { Message, NumeroParams } from './schemas.ts';

/** Longest wait for the answer of a live gateway, in milliseconds; to a message, for each contact: they get it one by one. */
const ANSWER_TIMEOUT = 60_000;
/** Interval between checks that the other gateway lives, in milliseconds. */
const LOOK = 500;
/** Seconds until a call may succeed: by then another gateway has taken the session over, or begun to. */
const RETRY_AFTER = 5;

/** Forwards the calls of `api` for sessions of other gateways, once they have passed all checks. */
export function forwardCalls(api: FastifyInstance, cluster: PostgresCluster): void {
  api.addHook('preHandler', async (request, reply) => {
    const numero = numeroOf(request);
    if (numero === undefined) return;
    const isStart = request.routeOptions.url?.endsWith(START) ?? false;
    const target = await cluster.targetOf(numero, isStart);
    if (target) return sendAnswer(reply, await forward(request, target, cluster, callOf(request, numero)));
  });
}

export type Forward = ReturnType<typeof forwarding>;

/**
 * Returns a function that forwards a call about a session to the gateway that owns it. It resolves with the answer;
 * undefined if this gateway owns the session.
 */
export function forwarding(cluster: PostgresCluster) {
  return async (request: FastifyRequest, numero: string, call: RouteCall) => {
    const target = await cluster.targetOf(numero, false);
    return target && forward(request, target, cluster, call);
  };
}

/** Passes the other gateway's answer on to a client. */
export function sendAnswer(
  reply: FastifyReply,
  { status, type, retryAfter, body }: RouteAnswer,
): FastifyReply {
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  if (type !== undefined) reply.type(type);
  return reply.code(status).send(body === '' ? undefined : body);
}

async function forward(
  request: FastifyRequest,
  target: Target,
  { caller, member }: PostgresCluster,
  call: RouteCall,
): Promise<RouteAnswer> {
  const by = request.user.name;
  request.log.debug({ node: target.url }, 'Call forwarded');
  const { signal, end } = lifeOf(target, member, answerTimeout(call.body));
  const answer = await caller
    .call(target, { ...call, requestId: request.id, ...(by !== undefined && { by }) }, signal)
    .catch((error: unknown) => {
      const reason = reasonOf(error);
      request.log.warn({ node: target.url, reason }, 'Another gateway did not answer.');
      const isRepeatable = !request.routeOptions.url?.endsWith(MESSAGE);
      const isUnreached = UNREACHED.includes(reason);
      if (isUnreached) member.unreached(target.id);
      throw isRepeatable || isUnreached
        ? new HttpError(
            503,
            'El servidor que lleva la sesión no responde, y otro la tomará: inténtalo de nuevo en unos segundos.',
            RETRY_AFTER,
          )
        : // A message may have been sent.
          new HttpError(
            504,
            'El servidor que lleva la sesión dejó de responder: puede que el mensaje no llegue.',
          );
    })
    .finally(end);
  if (!answer) {
    throw new HttpError(
      503,
      'La sesión está pasando a otro servidor: inténtalo de nuevo en unos segundos.',
      RETRY_AFTER,
    );
  }
  // The other gateway's pushes must not arrive after its answer.
  await member.settle();
  return answer;
}

/**
 * Returns a signal that aborts a call to a gateway once the others have declared it dead and take its sessions: its own
 * answer may come much later, or never.
 */
function lifeOf({ id }: Target, member: Member, timeout: number): { signal: AbortSignal; end: () => void } {
  const life = new AbortController();
  const limit = setTimeout(() => life.abort(givenUp('TIMEOUT')), timeout);
  // A gateway that has just joined is not known yet.
  let isKnown = false;
  const looks = setInterval(() => {
    const isAlive = member.nodes.some((node) => node.id === id);
    isKnown ||= isAlive;
    if (isKnown && !isAlive) life.abort(givenUp('BURIED'));
  }, LOOK);
  const end = () => {
    clearTimeout(limit);
    clearInterval(looks);
  };
  return { signal: life.signal, end };
}

/** Returns how long a call with this body may take, in milliseconds. */
export function answerTimeout(body: unknown): number {
  const contacts = Value.Check(Message, body) ? body.mensaje.contactos.length : 1;
  // The other gateway refuses a message to none, and to too many.
  return ANSWER_TIMEOUT * Math.min(Math.max(contacts, 1), MAX_CONTACTS);
}

/** The other gateway has died during a call, or takes too long. */
const givenUp = (code: 'BURIED' | 'TIMEOUT') => Object.assign(new Error(code), { code });

/** Errors of calls that have not reached the other gateway. */
const UNREACHED = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'UND_ERR_CONNECT_TIMEOUT'];

const Sender = Type.Object({ remitente: Type.String() });

export function numeroOf({ params, body }: FastifyRequest): string | undefined {
  if (Value.Check(NumeroParams, params)) return params.numero;
  return Value.Check(Sender, body) ? body.remitente : undefined;
}

/**
 * Returns a call as this gateway has parsed it, since another parse of the client's text may differ. Fields that the
 * route does not use are dropped: they may be nested too deeply to serialize.
 */
function callOf({ method, routeOptions, query, body }: FastifyRequest, numero: string): RouteCall {
  const { url: route = '', schema } = routeOptions;
  const path = route.replace(':numero', () => encodeURIComponent(numero));
  return {
    method,
    path,
    query,
    ...(Type.IsSchema(schema?.body) && { body: Value.Clean(schema.body, body) }),
  };
}
