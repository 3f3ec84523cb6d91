import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Server } from 'socket.io';
import { type TSchema, Type } from 'typebox';
import { ENDINGS } from '../engines/simulated/endings.ts';
import { REPORTED_STATES } from '../engines/simulated/faults.ts';
import type { SimulatedPhones } from '../engines/simulated/phones.ts';
import { Fault, PhoneRecord } from '../engines/simulated/record.ts';
import { PhoneRefused } from '../engines/simulated/refusals.ts';
import { answerError, sendError } from './errors.ts';
import { Nothing, NumeroParams } from './schemas.ts';
import { typedRoutes } from './server.ts';

const Code = Type.Object({ code: Type.String({ maxLength: 2_000 }) });
const LogOut = Type.Object({ reason: Type.Optional(Type.Enum([...ENDINGS])) });
const Faulty = Type.Object({ fault: Fault });
const Reported = Type.Object({ state: Type.Enum([...REPORTED_STATES]) });
const Empty = Type.Object({});

/** The options of a route that does something, and answers with 204. */
const action = <Body extends TSchema>(body: Body) => ({
  schema: { params: NumeroParams, body, response: { 204: Nothing } },
  async onRequest(_request: FastifyRequest, reply: FastifyReply) {
    reply.code(204);
  },
});

/**
 * Registers routes to act as the owners of the simulated phones, for the demo page's drawer. Not part of the contract:
 * a gateway to real phones has no such routes. What a phone refuses is answered with 409 and a sentence.
 */
export function simulatorRoutes(app: FastifyInstance, phones: SimulatedPhones): void {
  app.setErrorHandler<Error>((error, request, reply) => {
    if (!(error instanceof PhoneRefused)) return answerError(error, request, reply);
    return sendError(reply, error.reason === 'unknown-phone' ? 404 : 409, error.message);
  });

  const typed = typedRoutes(app);

  typed.get('/phones', { schema: { response: { 200: Type.Array(PhoneRecord) } } }, () => phones.list());

  typed.post('/phones/:numero/scan', action(Code), async ({ params, body }) =>
    phones.phone(params.numero).scan(body.code),
  );
  typed.post('/phones/:numero/pair', action(Code), async ({ params, body }) =>
    phones.typeCode(params.numero, body.code),
  );
  typed.post('/phones/:numero/passkey', action(Empty), async ({ params }) =>
    phones.phone(params.numero).usePasskey(),
  );
  typed.post('/phones/:numero/unlink', action(LogOut), async ({ params, body }) =>
    phones.phone(params.numero).logOut(body.reason),
  );
  typed.post('/phones/:numero/fault', action(Faulty), async ({ params, body }) =>
    phones.setFault(params.numero, body.fault),
  );
  typed.post('/phones/:numero/state', action(Reported), async ({ params, body }) =>
    phones.phone(params.numero).report(body.state),
  );
  typed.post('/phones/:numero/read', action(Empty), async ({ params }) => phones.phone(params.numero).read());
  typed.post('/phones/:numero/lose-line', action(Empty), async ({ params }) =>
    phones.phone(params.numero).loseLine(),
  );
  typed.post('/phones/:numero/recover-line', action(Empty), async ({ params }) =>
    phones.phone(params.numero).recoverLine(),
  );
}

/** Emits each change to the drawer, in the namespace `/simulator`: `phone` (record) and `phone:removed` (numero). */
export function simulatorFeed(io: Server, phones: SimulatedPhones): void {
  const feed = io.of('/simulator');
  phones.watch({
    changed: (record) => feed.emit('phone', record),
    removed: (numero) => feed.emit('phone:removed', numero),
  });
}
