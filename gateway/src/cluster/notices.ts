import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { ACK_STATUSES } from '../../../src/wire.ts';
import { Pairing, Session } from '../http/schemas.ts';

/** The channel on which gateways tell each other of changes, with PostgreSQL's NOTIFY. */
export const CHANNEL = 'whatsapp_operadores';

/** Most bytes of one notification; PostgreSQL refuses 8,000. */
export const MOST_BYTES = 7_900;

const Ack = Type.Object({
  id: Type.String(),
  remitente: Type.String(),
  contacto: Type.Number(),
  status: Type.Union(ACK_STATUSES.map((status) => Type.Literal(status))),
  reason: Type.Optional(Type.String()),
});

/** Earlier gateways ignore notices with other pushes: details, and what comes and goes, are seen from the rows. */
const Push = Type.Union([
  Type.Object({ event: Type.Literal('qr'), numero: Type.String(), code: Type.String() }),
  Type.Object({ event: Type.Literal('change_state'), numero: Type.String(), state: Type.String() }),
  Type.Object({
    event: Type.Union([
      Type.Literal('disconnected'),
      Type.Literal('authenticated'),
      Type.Literal('qr_timeout'),
      Type.Literal('ready'),
    ]),
    numero: Type.String(),
  }),
]);

const Passing = Type.Union([
  Type.Object({
    event: Type.Literal('code'),
    numero: Type.String(),
    pairing: Type.Union([Pairing, Type.Null()]),
  }),
  Type.Object({ event: Type.Literal('ack'), numero: Type.String(), ack: Ack }),
]);

/** A push that is part of no row. */
export type PassingPush = Static<typeof Passing>;

/** A change of one session: its row as it is then, and the pushes that bring panels there. */
const Change = Type.Object({
  session: Session,
  place: Type.Number(),
  version: Type.Number(),
  pushes: Type.Array(Push),
});

export type Change = Static<typeof Change>;

/** What a notification says. */
const Notice = Type.Union([
  Type.Object({ type: Type.Literal('changes'), changes: Type.Array(Change) }),
  Type.Object({ type: Type.Literal('removed'), numero: Type.String() }),
  /** Pushes that leave no trace in the table: codes to type, and acks. */
  Type.Object({ type: Type.Literal('pushes'), pushes: Type.Array(Passing) }),
  /** Somebody has opened the link of a session. */
  Type.Object({ type: Type.Literal('opened'), numero: Type.String() }),
  /** Sessions without an owner are there. */
  Type.Object({ type: Type.Literal('free') }),
  /** A node has joined, left, or begun to drain. */
  Type.Object({ type: Type.Literal('nodes') }),
  /** Heard by its sender, it says that everything before it was heard too. */
  Type.Object({ type: Type.Literal('mark'), id: Type.String() }),
]);

export type Notice = Static<typeof Notice>;

const form = TypeCompiler.Compile(Notice);

/**
 * Returns what a notification says; undefined if it is of another form: of a later version, or from somebody else with
 * access to the database.
 */
export function readNotice(text: string): Notice | undefined {
  try {
    const notice: unknown = JSON.parse(text);
    return form.Check(notice) ? notice : undefined;
  } catch {
    return undefined;
  }
}
