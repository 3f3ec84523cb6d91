import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { ACK_STATUSES } from '../../../src/wire.ts';
import { type Cipher, DecryptionError } from '../ledger/cipher.ts';
import type { StatePush } from '../sessions/transitions.ts';
import { Pairing, Session } from '../wire-schemas.ts';

/** Most bytes of one notification; PostgreSQL refuses 8,000. */
export const MOST_BYTES = 7_900;

const Ack = Type.Object({
  id: Type.String(),
  remitente: Type.String(),
  contacto: Type.Number(),
  status: Type.Enum([...ACK_STATUSES]),
  reason: Type.Optional(Type.String()),
});

/** Rows show details, and added and removed sessions; the code of a `qr` is the session's. */
const Push = Type.Union([
  Type.Object({ event: Type.Literal('qr'), numero: Type.String() }),
  Type.Object({ event: Type.Literal('change_state'), numero: Type.String(), state: Type.String() }),
  Type.Object({
    event: Type.Enum(['disconnected', 'authenticated', 'qr_timeout', 'ready']),
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

/** A push that no row stores. */
export type PassingPush = Static<typeof Passing>;

/** A change of one session: its row afterwards, and the pushes that bring panels to that state. */
const Change = Type.Object({
  type: Type.Literal('change'),
  session: Session,
  place: Type.Number(),
  version: Type.Number(),
  owner: Type.String(),
  pushes: Type.Array(Push),
});

export type Change = Static<typeof Change>;

/** A row whose session is no longer connected, although it is not written yet. */
const LateRow = Type.Object({ numero: Type.String(), version: Type.Number() });

export type LateRow = Static<typeof LateRow>;

const Notice = Type.Union([
  Change,
  /** Rows were added, removed, or changed without pushes: the row of one session, or any row. */
  Type.Object({ type: Type.Literal('rows'), numero: Type.Optional(Type.String()) }),
  /** Pushes that no row stores: codes to type, and acks. A node's numbers increase. */
  Type.Object({
    type: Type.Literal('pushes'),
    node: Type.String(),
    number: Type.Number(),
    pushes: Type.Array(Passing),
  }),
  /** Changes that cannot be written, of the rows with these versions. */
  Type.Object({ type: Type.Literal('late'), rows: Type.Array(LateRow) }),
  /** Somebody has opened the link of a session that has this id. */
  Type.Object({ type: Type.Literal('opened'), numero: Type.String(), link: Type.String() }),
  /** Some sessions have no owner. */
  Type.Object({ type: Type.Literal('free') }),
  /** A node has joined, left, or begun to drain. */
  Type.Object({ type: Type.Literal('nodes') }),
  /** The secret was changed: this is the last notice with the old one. */
  Type.Object({ type: Type.Literal('secret') }),
  /** When its sender receives it, everything before it has arrived too. */
  Type.Object({ type: Type.Literal('mark'), id: Type.String() }),
]);

/** A message from one gateway to all. */
export type Notice = Static<typeof Notice>;

const form = Compile(Notice);

/** A sealed notice cannot be opened as anything else. */
const PLACE = ['notice'];

/** Returns a notice in the form for a notification, which can hold several, separated by spaces. */
export function sealNotice(cipher: Cipher, notice: Notice): string {
  return cipher.seal(JSON.stringify(notice), PLACE);
}

/** Returns the notices of a notification; undefined if the sender lacks the secret. */
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

/** Returns pushes without codes: the last code is the session's, and earlier ones are void. */
export function withoutCodes(pushes: readonly StatePush[]): Change['pushes'] {
  return pushes.map((push) => (push.event === 'qr' ? { event: push.event, numero: push.numero } : push));
}
