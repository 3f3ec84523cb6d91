import type { FastifyInstance } from 'fastify';
import { Value } from 'typebox/value';
import type { WireDetails, WireMessage, WirePairing, WireSentLink } from '../../../src/wire.ts';
import { seen } from '../numbers.ts';
import { type Right, seenBy } from '../security/users.ts';
import type { PasskeyChallenge } from '../sessions/engine.ts';
import { namingProblem } from '../sessions/naming.ts';
import type { Registry } from '../sessions/registry.ts';
import { select } from '../sessions/selection.ts';
import { Details, Pairing } from '../wire-schemas.ts';
import { HttpError } from './errors.ts';
import { RATES } from './limits.ts';
import {
  Challenge,
  Deleted,
  ERRORS,
  History,
  HistoryQuery,
  Link,
  ListQuery,
  Message,
  Naming,
  Nothing,
  NumeroParams,
  PasskeyAnswer,
  Sent,
  SessionList,
  Started,
} from './schemas.ts';
import { typedRoutes } from './server.ts';

/** The call that creates a session if there is none. */
export const START = '/session/levanta/:numero';
/** The route that sends a message, relative to `/api`. */
export const MESSAGE = '/message';

const PASSKEY = '/session/:numero/passkey';

/**
 * Registers the calls of the contract (docs/contract.md), relative to `/api`.
 *
 * @param written resolves once everything pushed before has been written
 * @param deletion returns what a panel says after a deletion, instead of its own sentence
 */
export function sessionRoutes(
  app: FastifyInstance,
  sessions: Registry,
  written: () => Promise<void>,
  deletion?: (numero: string) => string,
): void {
  const typed = typedRoutes(app);

  typed.get(
    '/session/sessions',
    {
      config: { right: 'see' },
      schema: { querystring: ListQuery, response: { 200: SessionList, ...ERRORS } },
    },
    ({ user, query }) => select(seenBy(user, sessions.list()), query),
  );

  typed.get(
    START,
    {
      config: { right: 'start', rateLimit: RATES.starts },
      schema: { params: NumeroParams, response: { 200: Started, ...ERRORS } },
      // Checked before a gateway of a cluster looks for another one with room.
      preValidation: async (request) => {
        const problem = numeroProblem(request.params.numero);
        if (problem) throw new HttpError(400, problem);
      },
    },
    async (request) => {
      try {
        return { numero: await sessions.start(request.params.numero, request.user.name) };
      } finally {
        // If the end of the old session arrived after this answer, it would look like the end of the new one.
        await written();
      }
    },
  );

  typed.delete(
    '/session/:numero',
    {
      config: { right: 'delete' },
      schema: { params: NumeroParams, response: { 200: Deleted, 204: Nothing, ...ERRORS } },
    },
    async (request, reply) => {
      // If the state of a session that stays arrived after this answer, it would remove the failure from the card.
      await sessions.delete(request.params.numero, request.user.name).finally(written);
      return deletion === undefined ? reply.code(204).send() : { notice: deletion(request.params.numero) };
    },
  );

  typed.post(
    MESSAGE,
    {
      config: { right: 'send', rateLimit: RATES.messages },
      schema: { body: Message, response: { 200: Sent, ...ERRORS } },
    },
    async (request) => {
      const { mensaje, remitente }: WireMessage = request.body;
      const problem = contactsProblem(mensaje);
      if (problem) throw new HttpError(400, problem);
      return { id: await sessions.send(remitente, mensaje.contactos, mensaje.cuerpo) };
    },
  );
}

/**
 * Registers the calls of the contract's extensions (docs/contract.md), relative to `/api`.
 *
 * @param linkPage the page behind the links: a URL, or a path relative to the call for a link
 */
export function extensionRoutes(app: FastifyInstance, sessions: Registry, linkPage: string): void {
  const typed = typedRoutes(app);

  typed.put(
    '/session/:numero/details',
    {
      config: { right: rightsFor },
      schema: { params: NumeroParams, body: Naming, response: { 200: Details, ...ERRORS } },
      // Also to the answers of other gateways, which do not know the user.
      onSend: async ({ user }, { statusCode }, payload) =>
        statusCode === 200 && !user.rights.has('see') ? '{}' : payload,
    },
    async (request): Promise<WireDetails> => {
      const problem = namingProblem(request.body);
      if (problem) throw new HttpError(400, problem);
      return sessions.describe(request.params.numero, request.body, request.user.name);
    },
  );

  typed.get(
    '/session/:numero/history',
    {
      config: { right: 'see' },
      schema: { params: NumeroParams, querystring: HistoryQuery, response: { 200: History, ...ERRORS } },
    },
    ({ params, query: { limit, before } }) =>
      sessions.history(params.numero, Number(limit), before === undefined ? undefined : Number(before)),
  );

  typed.post(
    '/session/:numero/unlink',
    { config: { right: 'unlink' }, schema: { params: NumeroParams, response: { 202: Nothing, ...ERRORS } } },
    async (request, reply) => {
      await sessions.unlink(request.params.numero, request.user.name);
      return reply.code(202).send();
    },
  );

  typed.post(
    '/session/:numero/pairing',
    {
      config: { right: 'codes', rateLimit: RATES.starts },
      schema: { params: NumeroParams, response: { 200: Pairing, ...ERRORS } },
    },
    (request): Promise<WirePairing> => sessions.pair(request.params.numero),
  );

  typed.get(
    PASSKEY,
    {
      config: { right: 'codes', rateLimit: RATES.starts },
      schema: { params: NumeroParams, response: { 200: Challenge, ...ERRORS } },
    },
    (request): Promise<PasskeyChallenge> => sessions.passkeyChallenge(request.params.numero),
  );

  typed.post(
    PASSKEY,
    {
      config: { right: 'codes', rateLimit: RATES.starts },
      schema: { params: NumeroParams, body: PasskeyAnswer, response: { 202: Nothing, ...ERRORS } },
      preValidation: withBody,
    },
    async (request, reply) => {
      await sessions.passkey(request.params.numero, request.body.assertion);
      return reply.code(202).send();
    },
  );

  typed.post(
    '/session/:numero/link',
    {
      config: { right: 'codes', rateLimit: RATES.starts },
      schema: { params: NumeroParams, response: { 200: Link, ...ERRORS } },
    },
    async (request): Promise<WireSentLink> => {
      const { id, token, expires } = await sessions.createLink(request.params.numero, request.user.name);
      // A fragment reaches no server, no log and no referrer.
      return { id, url: `${linkPage}#${token}`, expires };
    },
  );

  typed.delete(
    '/session/:numero/link',
    { config: { right: 'codes' }, schema: { params: NumeroParams, response: { 204: Nothing, ...ERRORS } } },
    async (request, reply) => {
      await sessions.revokeLink(request.params.numero, request.user.name);
      return reply.code(204).send();
    },
  );
}

/** What a change of the details needs. */
function rightsFor(body: unknown): readonly Right[] {
  const { label, group, proxy } = Value.Check(Naming, body) ? body : {};
  const isNamed = label !== undefined || group !== undefined || proxy === undefined;
  return [...(isNamed ? ['label' as const] : []), ...(proxy === undefined ? [] : ['proxy' as const])];
}

/** A call may have no body where all its fields are optional. */
export async function withBody(request: { body: unknown }): Promise<void> {
  request.body ??= {};
}

/** Digits of a phone number with its country code (E.164). */
const DIGITS = { min: 7, max: 15 };
/** Longest text that WhatsApp accepts, in characters. */
const MAX_TEXT = 65_536;
/** Most recipients of one message: a test message has one, and each additional one increases the risk of a ban. */
export const MAX_CONTACTS = 100;

/** Returns the error of a numero to start, as a sentence for the screen; undefined if it is valid. */
function numeroProblem(typed: string): string | undefined {
  const numero = seen(typed);
  const digits = numero.replace(/\D/g, '').length;
  const wellFormed = /^\+?[\d\s().\p{Dash}]+$/u.test(numero);
  if (wellFormed && digits >= DIGITS.min && digits <= DIGITS.max) return undefined;
  return `El número '${numero}' no es válido: debe tener entre ${DIGITS.min} y ${DIGITS.max} dígitos.`;
}

/** Returns the error of a message, as a sentence for the screen; undefined if it is valid. */
function contactsProblem({ cuerpo, contactos }: WireMessage['mensaje']): string | undefined {
  if (cuerpo.trim() === '') return 'El mensaje está vacío.';
  if (cuerpo.length > MAX_TEXT) return `El mensaje tiene más de ${MAX_TEXT} caracteres.`;
  if (contactos.length === 0) return 'El mensaje no tiene ningún número de destino.';
  if (contactos.length > MAX_CONTACTS) return `El mensaje tiene más de ${MAX_CONTACTS} números de destino.`;
  const wrong = contactos.find((contact) => !Number.isSafeInteger(contact) || contact <= 0);
  return wrong === undefined ? undefined : `El número de destino ${wrong} no es válido.`;
}
