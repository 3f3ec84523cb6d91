import type { FastifyInstance } from 'fastify';
import type { WireMessage, WireStarted } from '../../src/wire.ts';
import { limited, RATES } from './limits.ts';
import { errorSchema, HttpError } from './replies.ts';
import type { SessionManager } from './session-manager.ts';
import { contactsProblem, numeroProblem } from './validation.ts';

interface NumeroParams {
  Params: { numero: string };
}

const params = { type: 'object', required: ['numero'], properties: { numero: { type: 'string' } } };
const session = {
  type: 'object',
  required: ['numero', 'state', 'waiting'],
  properties: {
    numero: { type: 'string' },
    state: { type: 'string' },
    qrCode: { type: 'string' },
    waiting: { type: 'boolean' },
  },
};
const started = { type: 'object', required: ['numero'], properties: { numero: { type: 'string' } } };
const message = {
  type: 'object',
  required: ['mensaje', 'remitente', 'autorespuesta', 'ids', 'encolar'],
  properties: {
    mensaje: {
      type: 'object',
      required: ['cuerpo', 'contactos'],
      properties: {
        cuerpo: { type: 'string' },
        contactos: { type: 'array', items: { type: 'number' } },
      },
    },
    remitente: { type: 'string' },
    autorespuesta: { type: 'boolean' },
    ids: { type: 'array', items: { type: 'number' } },
    encolar: { type: 'boolean' },
  },
};
const errors = { '4xx': errorSchema, '5xx': errorSchema };

/**
 * Registers the calls of spec §7, relative to `/api`.
 *
 * @param written resolves once everything pushed before has been written
 */
export function sessionRoutes(
  app: FastifyInstance,
  sessions: SessionManager,
  written: () => Promise<void>,
): void {
  app.get(
    '/session/sessions',
    { schema: { response: { 200: { type: 'array', items: session }, ...errors } } },
    () => sessions.list(),
  );

  app.get<NumeroParams>(
    '/session/levanta/:numero',
    { onRequest: limited(RATES.starts), schema: { params, response: { 200: started, ...errors } } },
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

  app.delete<NumeroParams>(
    '/session/:numero',
    { schema: { params, response: { 204: { type: 'null' }, ...errors } } },
    async (request, reply) => {
      await sessions.delete(request.params.numero);
      return reply.code(204).send();
    },
  );

  app.post<{ Body: WireMessage }>(
    '/message',
    {
      onRequest: limited(RATES.messages),
      schema: { body: message, response: { 204: { type: 'null' }, ...errors } },
    },
    async (request, reply) => {
      const { mensaje, remitente } = request.body;
      const problem = contactsProblem(mensaje);
      if (problem) throw new HttpError(400, problem);
      await sessions.send(remitente, mensaje.contactos, mensaje.cuerpo);
      return reply.code(204).send();
    },
  );
}
