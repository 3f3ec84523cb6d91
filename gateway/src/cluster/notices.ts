import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ACK_STATUSES } from '../../../src/wire.ts';
import { Pairing, Session } from '../http/schemas.ts';
import type { StatePush } from '../sessions/transitions.ts';
import { type Cipher, DecryptionError } from '../store/cipher.ts';

/**
 * The channel on which gateways tell each other of changes, with PostgreSQL's NOTIFY. Whoever may connect to the database
 * hears it and can speak on it, without a right on any table, so notices are sealed
 * (https://www.postgresql.org/docs/current/sql-notify.html).
 */
export const CHANNEL = 'whatsapp_operadores';

/** Most bytes of one notification; PostgreSQL refuses 8,000. */
export const MOST_BYTES = 7_900;

const Ack = Type.Object({
  id: Type.String(),
  remitente: Type.String(),
  contacto: Type.Number(),
  status: Type.Enum([...ACK_STATUSES]),
  reason: Type.Optional(Type.String()),
});

/** Details, and what comes and goes, are seen from the rows; the code of a `qr` is the session's. */
const Push = Type.Union([
  Type.Object({ event: Type.Literal('qr'), numero: Type.String() }),
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
  type: Type.Literal('change'),
  session: Session,
  place: Type.Number(),
  version: Type.Number(),
  pushes: Type.Array(Push),
});

export type Change = Static<typeof Change>;

const Notice = Type.Union([
  Change,
  /** Rows have come, gone, or changed otherwise than by pushes: the one of a session, or any. */
  Type.Object({ type: Type.Literal('rows'), numero: Type.Optional(Type.String()) }),
  /** Pushes that leave no trace in the table: codes to type, and acks. Each of a node's has a higher number. */
  Type.Object({
    type: Type.Literal('pushes'),
    node: Type.String(),
    number: Type.Number(),
    pushes: Type.Array(Passing),
  }),
  /** Somebody has opened the link of a session that ends then. */
  Type.Object({ type: Type.Literal('opened'), numero: Type.String(), expires: Type.Number() }),
  /** Sessions without an owner are there. */
  Type.Object({ type: Type.Literal('free') }),
  /** A node has joined, left, or begun to drain. */
  Type.Object({ type: Type.Literal('nodes') }),
  /** The secret was changed: this is the last notice with the old one. */
  Type.Object({ type: Type.Literal('secret') }),
  /** Heard by its sender, it says that everything before it was heard too. */
  Type.Object({ type: Type.Literal('mark'), id: Type.String() }),
]);

/** What one gateway tells all. */
export type Notice = Static<typeof Notice>;

const form = Compile(Notice);

/** A sealed notice can be opened as nothing else. */
const PLACE = ['notice'];

/** Returns a notice as it goes into a notification, alone or with others, separated by spaces. */
export function sealNotice(cipher: Cipher, notice: Notice): string {
  return cipher.seal(JSON.stringify(notice), PLACE);
}

/**
 * Returns what a notification says, without what a later version of the gateway says; undefined if it is from somebody
 * without the secret.
 */
export function openNotices(cipher: Cipher, payload: string): Notice[] | undefined {
  try {
    const notices: unknown[] = payload.split(' ').map((sealed) => JSON.parse(cipher.open(sealed, PLACE)));
    return notices.filter((notice) => form.Check(notice));
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}

/** Returns the pushes of a change as the publisher had them. */
export function pushesOf({ session: { qrCode }, pushes }: Change): StatePush[] {
  return pushes.flatMap((push) => {
    if (push.event !== 'qr') return push;
    return qrCode === undefined ? [] : { ...push, code: qrCode };
  });
}

/** Returns pushes without codes: the last one is the session's, and those before it are void. */
export function withoutCodes(pushes: readonly StatePush[]): Change['pushes'] {
  return pushes.map((push) => (push.event === 'qr' ? { event: push.event, numero: push.numero } : push));
}
