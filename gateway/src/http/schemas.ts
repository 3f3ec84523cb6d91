import { type Static, Type } from 'typebox';
import { Assertion, HistoryEntry, Session } from '../wire-schemas.ts';

/*
 * The schemas of data that only HTTP transfers. fastify validates requests and serializes answers with them.
 */

export const NumeroParams = Type.Object({ numero: Type.String() });

export const SessionList = Type.Array(Session, { description: 'The list' });

const Name = Type.Optional(Type.Union([Type.String(), Type.Null()]));

/** The body of `PUT /session/{numero}/details`. */
export const Naming = Type.Object({ label: Name, group: Name, proxy: Name });

/** What the list is to have: all, without any. */
export const ListQuery = Type.Object({
  able: Type.Optional(Type.Literal('send')),
  group: Type.Optional(Type.String()),
});

/** In a query everything is text: up to 200 entries, and milliseconds since 1970. */
export const HistoryQuery = Type.Object({
  limit: Type.Optional(Type.String({ pattern: '^(?:[1-9]\\d?|1\\d\\d|200)$', default: '50' })),
  before: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
});

export const History = Type.Array(HistoryEntry, { description: 'A page of the history' });

export const Link = Type.Object(
  { id: Type.String(), url: Type.String(), expires: Type.Number() },
  { description: 'The link, which may be relative to the URL of the call, when it expires, and its id' },
);

/** The body of `POST /session/{numero}/passkey`: without an assertion it says that the codes are the same. */
export const PasskeyAnswer = Type.Object({ assertion: Type.Optional(Assertion) });

/** Passed on as it comes, also what is not named here. */
const Option = Type.Optional(Type.Unknown());

export const Challenge = Type.Object(
  {
    challenge: Type.String(),
    timeout: Option,
    rpId: Option,
    allowCredentials: Option,
    userVerification: Option,
    extensions: Type.Optional(Type.Object({ uvm: Option }, { additionalProperties: true })),
  },
  { additionalProperties: true, description: 'The options of a WebAuthn request' },
);

export const Sent = Type.Object({ id: Type.String() }, { description: 'The id of the message' });

export const Started = Type.Object({ numero: Type.String() }, { description: 'The session' });

/** The body of `POST /message`. */
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

export const ErrorAnswer = Type.Object(
  { statusCode: Type.Integer(), error: Type.String(), message: Type.String() },
  { description: 'The status, its reason phrase as `error`, and a sentence for the screen as `message`' },
);

export type ErrorAnswer = Static<typeof ErrorAnswer>;

export const Deleted = Type.Object({ notice: Type.String() }, { description: 'What to tell the operator' });

export const Nothing = Type.Unsafe<void>({ type: 'null', description: 'Done, without a body' });

export const ERRORS = { '4xx': ErrorAnswer, '5xx': ErrorAnswer };
