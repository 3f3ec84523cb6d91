import { type Static, Type } from '@sinclair/typebox';

/*
 * What goes over HTTP. fastify checks requests by these schemas and writes answers by them, and the compiler checks
 * them against the types that the panel shares with the gateway (`src/wire.ts`), where a route uses both.
 */

export const NumeroParams = Type.Object({ numero: Type.String() });

/** One item of the list (spec §3). */
export const Session = Type.Object({
  numero: Type.String(),
  state: Type.String(),
  qrCode: Type.Optional(Type.String()),
  waiting: Type.Boolean(),
});

/** The answer to `levanta` (spec §7). */
export const Started = Type.Object({ numero: Type.String() });

/** The body of `POST /message` (spec §3). */
export const Message = Type.Object({
  mensaje: Type.Object({
    cuerpo: Type.String(),
    contactos: Type.Array(Type.Number()),
  }),
  remitente: Type.String(),
  autorespuesta: Type.Boolean(),
  ids: Type.Array(Type.Number()),
  encolar: Type.Boolean(),
});

/** The form of every error answer; `error` is the reason phrase of the status, `message` a sentence for the screen. */
export const ErrorAnswer = Type.Object({
  statusCode: Type.Integer(),
  error: Type.String(),
  message: Type.String(),
});

export type ErrorAnswer = Static<typeof ErrorAnswer>;

/** An answer without a body. */
export const Nothing = Type.Unsafe<void>({ type: 'null' });

/** The error answers of a route. */
export const ERRORS = { '4xx': ErrorAnswer, '5xx': ErrorAnswer };
