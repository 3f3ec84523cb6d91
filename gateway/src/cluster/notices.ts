import { type Static, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import { Session } from '../http/schemas.ts';

/** The channel on which gateways tell each other of changes, with PostgreSQL's NOTIFY. */
export const CHANNEL = 'whatsapp_operadores';

/** Most bytes of one notification; PostgreSQL refuses 8,000. */
export const MOST_BYTES = 7_900;

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
