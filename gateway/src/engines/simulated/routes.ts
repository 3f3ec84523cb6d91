import type { FastifyInstance } from 'fastify';
import type { Server } from 'socket.io';
import { answerError, sendError } from '../../http/errors.ts';
import { PHONE_FAULTS, type PhoneFault, REPORTED_STATES, type ReportedState } from './faults.ts';
import type { SimulatedPhones } from './phones.ts';
import { PhoneRefused } from './simulated-phone.ts';

interface PhoneParams {
  Params: { numero: string };
}

const params = { type: 'object', required: ['numero'], properties: { numero: { type: 'string' } } };
const empty = { params, body: { type: 'object' }, response: { 204: { type: 'null' } } };
const scan = {
  ...empty,
  body: { type: 'object', required: ['code'], properties: { code: { type: 'string', maxLength: 2_000 } } },
};
const fault = { enum: [...PHONE_FAULTS, null] };
const faulted = { ...empty, body: { type: 'object', required: ['fault'], properties: { fault } } };
const reported = {
  ...empty,
  body: { type: 'object', required: ['state'], properties: { state: { enum: REPORTED_STATES } } },
};

const phone = {
  type: 'object',
  required: ['numero', 'linked', 'online', 'state', 'code', 'fault', 'stalled', 'reported', 'messages'],
  properties: {
    numero: { type: 'string' },
    linked: { type: 'boolean' },
    online: { type: 'boolean' },
    state: { type: 'string' },
    code: { type: ['string', 'null'] },
    fault: { type: ['string', 'null'] },
    stalled: { type: 'boolean' },
    reported: { type: ['string', 'null'] },
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['text', 'from', 'at'],
        properties: { text: { type: 'string' }, from: { type: 'string' }, at: { type: 'integer' } },
      },
    },
  },
};

/**
 * Registers routes to act as the owners of the simulated phones, for the demo page's drawer. Not part of the contract:
 * a gateway to real phones has no such routes. What a phone refuses is answered with 409 and a sentence.
 */
export function simulatorRoutes(app: FastifyInstance, phones: SimulatedPhones): void {
  app.setErrorHandler<Error>((error, request, reply) => {
    if (!(error instanceof PhoneRefused)) return answerError(error, request, reply);
    return sendError(reply, error.reason === 'unknown-phone' ? 404 : 409, sentenceOf(error));
  });

  app.get('/phones', { schema: { response: { 200: { type: 'array', items: phone } } } }, () => phones.list());

  app.post<PhoneParams & { Body: { code: string } }>(
    '/phones/:numero/scan',
    { schema: scan },
    (request, reply) => {
      phones.scan(request.params.numero, request.body.code);
      return reply.code(204).send();
    },
  );

  app.post<PhoneParams & { Body: { fault: PhoneFault | null } }>(
    '/phones/:numero/fault',
    { schema: faulted },
    (request, reply) => {
      phones.setFault(request.params.numero, request.body.fault);
      return reply.code(204).send();
    },
  );

  app.post<PhoneParams & { Body: { state: ReportedState } }>(
    '/phones/:numero/state',
    { schema: reported },
    (request, reply) => {
      phones.report(request.params.numero, request.body.state);
      return reply.code(204).send();
    },
  );

  const actions = {
    unlink: (numero: string) => phones.unlink(numero),
    'lose-line': (numero: string) => phones.loseLine(numero),
    'recover-line': (numero: string) => phones.recoverLine(numero),
  };
  for (const [name, act] of Object.entries(actions)) {
    app.post<PhoneParams>(`/phones/:numero/${name}`, { schema: empty }, (request, reply) => {
      act(request.params.numero);
      return reply.code(204).send();
    });
  }
}

/** Emits each change to the drawer, in the namespace `/simulator`: `phone` (record) and `phone:removed` (numero). */
export function simulatorFeed(io: Server, phones: SimulatedPhones): void {
  const feed = io.of('/simulator');
  phones.watch({
    changed: (record) => feed.emit('phone', record),
    removed: (numero) => feed.emit('phone:removed', numero),
  });
}

/** Returns what the drawer says when a simulated phone refuses an action. */
export function sentenceOf({ reason, numero }: PhoneRefused): string {
  switch (reason) {
    case 'unknown-phone':
      return `No hay ningún teléfono simulado con el número ${numero}`;
    case 'no-code':
      return `La sesión de ${numero} no tiene ningún código para escanear`;
    case 'expired-code':
      return `El código QR de ${numero} venció`;
    case 'foreign-code':
      return `El código QR no es de la sesión de ${numero}`;
    case 'already-linked':
      return `El teléfono ${numero} ya está vinculado`;
    case 'not-linked':
      return `El teléfono ${numero} no está vinculado`;
    case 'not-connected':
      return `La sesión de ${numero} no está conectada`;
    case 'no-line':
      return `El teléfono ${numero} no tiene línea`;
    case 'has-line':
      return `El teléfono ${numero} ya tiene línea`;
    case 'no-session':
      return `El teléfono ${numero} no tiene ninguna sesión levantada`;
    case 'closing':
      return `La sesión de ${numero} se está eliminando`;
  }
}
