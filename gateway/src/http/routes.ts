import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Type } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { WireMessage, WireStarted } from '../../../src/wire.ts';
import type { Sessions } from '../sessions/session-manager.ts';
import { HttpError } from './errors.ts';
import { RATES } from './limits.ts';
import { ERRORS, Message, Nothing, NumeroParams, Session, Started } from './schemas.ts';

/**
 * Registers the calls of spec §7, relative to `/api`.
 *
 * @param written resolves once everything pushed before has been written
 */
export function sessionRoutes(app: FastifyInstance, sessions: Sessions, written: () => Promise<void>): void {
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();

  typed.get('/session/sessions', { schema: { response: { 200: Type.Array(Session), ...ERRORS } } }, () =>
    sessions.list(),
  );

  typed.get(
    '/session/levanta/:numero',
    {
      config: { rateLimit: RATES.starts },
      schema: { params: NumeroParams, response: { 200: Started, ...ERRORS } },
    },
    async (request): Promise<WireStarted> => {
      const { numero } = request.params;
      const problem = numeroProblem(numero);
      if (problem) throw new HttpError(400, problem);
      const started = await sessions.start(numero);
      // If its end arrived after this answer, it would seem to be the end of the new session.
      await written();
      return { numero: started };
    },
  );

  typed.delete(
    '/session/:numero',
    { schema: { params: NumeroParams, response: { 204: Nothing, ...ERRORS } } },
    async (request, reply) => {
      await sessions.delete(request.params.numero);
      return reply.code(204).send();
    },
  );

  typed.post(
    '/message',
    {
      config: { rateLimit: RATES.messages },
      schema: { body: Message, response: { 204: Nothing, ...ERRORS } },
    },
    async (request, reply) => {
      const { mensaje, remitente }: WireMessage = request.body;
      const problem = contactsProblem(mensaje);
      if (problem) throw new HttpError(400, problem);
      await sessions.send(remitente, mensaje.contactos, mensaje.cuerpo);
      return reply.code(204).send();
    },
  );
}

/** Digits of a phone number with its country code (E.164). */
const DIGITS = { min: 7, max: 15 };
/** Longest text that WhatsApp accepts, in characters. */
const MAX_TEXT = 65_536;
/** Most recipients of one message: a test message goes to one, and each more adds to the risk of a ban. */
const MAX_CONTACTS = 100;

/**
 * Returns what is wrong with the numero of a session to start, as a sentence for the screen; undefined if nothing is.
 */
export function numeroProblem(numero: string): string | undefined {
  const digits = numero.replace(/\D/g, '').length;
  const wellFormed = /^\+?[\d\s().-]+$/.test(numero);
  if (wellFormed && digits >= DIGITS.min && digits <= DIGITS.max) return undefined;
  return `El número '${numero}' no es válido: debe tener entre ${DIGITS.min} y ${DIGITS.max} dígitos`;
}

/** Returns what is wrong with a message, as a sentence for the screen; undefined if nothing is. */
export function contactsProblem({ cuerpo, contactos }: WireMessage['mensaje']): string | undefined {
  if (cuerpo.trim() === '') return 'El mensaje está vacío';
  if (cuerpo.length > MAX_TEXT) return `El mensaje tiene más de ${MAX_TEXT} caracteres`;
  if (contactos.length === 0) return 'El mensaje no tiene ningún número de destino';
  if (contactos.length > MAX_CONTACTS) return `El mensaje tiene más de ${MAX_CONTACTS} números de destino`;
  const wrong = contactos.find((contact) => !Number.isSafeInteger(contact) || contact <= 0);
  return wrong === undefined ? undefined : `El número de destino ${wrong} no es válido`;
}
