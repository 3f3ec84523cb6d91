import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { Server } from 'socket.io';
import { Type } from 'typebox';
import { answerError, sendError } from '../../http/errors.ts';
import { Nothing, NumeroParams } from '../../http/schemas.ts';
import { ENDINGS } from './endings.ts';
import { PHONE_FAULTS, REPORTED_STATES } from './faults.ts';
import type { SimulatedPhones } from './phones.ts';
import { PhoneRefused } from './simulated-phone.ts';

const Code = Type.Object({ code: Type.String({ maxLength: 2_000 }) });
const LogOut = Type.Object({
  reason: Type.Optional(Type.Enum([...ENDINGS])),
});
const Fault = Type.Object({
  fault: Type.Union([Type.Enum([...PHONE_FAULTS]), Type.Null()]),
});
const Reported = Type.Object({ state: Type.Enum([...REPORTED_STATES]) });
const Phone = Type.Object({
  numero: Type.String(),
  linked: Type.Boolean(),
  online: Type.Boolean(),
  state: Type.String(),
  code: Type.Union([Type.String(), Type.Null()]),
  fault: Type.Union([Type.String(), Type.Null()]),
  stalled: Type.Boolean(),
  reported: Type.Union([Type.String(), Type.Null()]),
  bannedUntil: Type.Union([Type.Integer(), Type.Null()]),
  messages: Type.Array(
    Type.Object({ text: Type.String(), from: Type.String(), at: Type.Integer(), read: Type.Boolean() }),
  ),
});

const ACTION = { params: NumeroParams, response: { 204: Nothing } };

/**
 * Registers routes to act as the owners of the simulated phones, for the demo page's drawer. Not part of the contract:
 * a gateway to real phones has no such routes. What a phone refuses is answered with 409 and a sentence.
 */
export function simulatorRoutes(app: FastifyInstance, phones: SimulatedPhones): void {
  app.setErrorHandler<Error>((error, request, reply) => {
    if (!(error instanceof PhoneRefused)) return answerError(error, request, reply);
    return sendError(reply, error.reason === 'unknown-phone' ? 404 : 409, sentenceOf(error));
  });

  const typed = app.withTypeProvider<TypeBoxTypeProvider>();

  typed.get('/phones', { schema: { response: { 200: Type.Array(Phone) } } }, () => phones.list());

  typed.post('/phones/:numero/scan', { schema: { ...ACTION, body: Code } }, async (request, reply) => {
    phones.scan(request.params.numero, request.body.code);
    return reply.code(204).send();
  });

  typed.post('/phones/:numero/pair', { schema: { ...ACTION, body: Code } }, async (request, reply) => {
    phones.typeCode(request.params.numero, request.body.code);
    return reply.code(204).send();
  });

  typed.post('/phones/:numero/unlink', { schema: { ...ACTION, body: LogOut } }, async (request, reply) => {
    phones.logOut(request.params.numero, request.body.reason);
    return reply.code(204).send();
  });

  typed.post('/phones/:numero/fault', { schema: { ...ACTION, body: Fault } }, async (request, reply) => {
    phones.setFault(request.params.numero, request.body.fault);
    return reply.code(204).send();
  });

  typed.post('/phones/:numero/state', { schema: { ...ACTION, body: Reported } }, async (request, reply) => {
    phones.report(request.params.numero, request.body.state);
    return reply.code(204).send();
  });

  const actions = {
    read: (numero: string) => phones.read(numero),
    'lose-line': (numero: string) => phones.loseLine(numero),
    'recover-line': (numero: string) => phones.recoverLine(numero),
  };
  for (const [name, act] of Object.entries(actions)) {
    typed.post(
      `/phones/:numero/${name}`,
      { schema: { ...ACTION, body: Type.Object({}) } },
      async (request, reply) => {
        act(request.params.numero);
        return reply.code(204).send();
      },
    );
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
    case 'no-pairing':
      return `La sesión de ${numero} no tiene ningún código para escribir`;
    case 'expired-pairing':
      return `El código para vincular ${numero} venció`;
    case 'foreign-pairing':
      return `Ese código es de otro número, no de ${numero}`;
    case 'wrong-pairing':
      return 'Ese código no es correcto: revísalo y escríbelo otra vez';
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
    case 'nothing-unread':
      return `El teléfono ${numero} no tiene mensajes sin leer`;
    case 'closing':
      return `La sesión de ${numero} se está eliminando`;
  }
}
