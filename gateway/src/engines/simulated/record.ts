import { type Static, type TSchema, Type } from 'typebox';
import { PHONE_FAULTS } from './faults.ts';

/**
 * The states of a phone's session: `off` (none), `starting`, `code` (one is shown), `linking` (scanned, not ready yet),
 * `connected`, `closing` (a slow deletion).
 */
const PHONE_STATES = ['off', 'starting', 'code', 'linking', 'connected', 'closing'] as const;

export type PhoneState = (typeof PHONE_STATES)[number];

export type PhoneMessage = Static<typeof PhoneMessage>;
const PhoneMessage = Type.Object({
  text: Type.String(),
  /** The numero of the session that sent it. */
  from: Type.String(),
  /** When it arrived, in milliseconds since 1970. */
  at: Type.Integer(),
  /** Whether the phone's owner has read it. */
  read: Type.Boolean(),
});

const orNull = <T extends TSchema>(type: T) => Type.Union([type, Type.Null()]);

/** A phone's fault; null for none. */
export const Fault = orNull(Type.Enum([...PHONE_FAULTS]));

/** The public state of one phone. */
export type PhoneRecord = Static<typeof PhoneRecord>;
export const PhoneRecord = Type.Object({
  numero: Type.String(),
  /** Whether it is linked to the gateway; a linked phone needs no code. */
  linked: Type.Boolean(),
  online: Type.Boolean(),
  state: Type.Enum([...PHONE_STATES]),
  /** The QR text that it can scan now. */
  code: orNull(Type.String()),
  /** The step of its account's passkey, with the code that it shows to compare; null if there is none. */
  passkey: orNull(Type.Object({ step: Type.String(), code: orNull(Type.String()) })),
  fault: Fault,
  /** Whether its next step is held, until the session is started again or the fault is removed. */
  stalled: Type.Boolean(),
  /** What WhatsApp reports of the session instead of being connected, such as `OPENING`. */
  reported: orNull(Type.String()),
  /** When WhatsApp lets it connect again, in milliseconds since 1970; null if it is not banned. */
  bannedUntil: orNull(Type.Integer()),
  /** When WhatsApp lets it write to everybody again, in milliseconds since 1970; null if it is not restricted. */
  restrictedUntil: orNull(Type.Integer()),
  /** The last 50, oldest first. */
  messages: Type.Array(PhoneMessage),
});
