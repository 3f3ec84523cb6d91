/** What the server says of a session, and what pushes and answers change of it, as pure functions: docs/contract.md. */
import { keepIfEqual } from '../observable.ts';
import {
  type AckStatus,
  STATES,
  type WireDetails,
  type WireNaming,
  type WirePairing,
  type WireSession,
} from '../wire.ts';

/** Moments are milliseconds since 1970, by the browser's clock. Never changed in place. */
export type Details = Readonly<WireDetails>;

/** A code to type on the phone. `expires` is in milliseconds since 1970, by the browser's clock. */
export type Pairing = Readonly<WirePairing>;

/** The details that changed; undefined for one that was removed. */
export type DetailsChange = { readonly [Name in keyof Details]: Details[Name] | undefined };

export type Naming = Pick<DetailsChange, 'label' | 'group'>;

/** What is changed of a session beside its state: an empty text removes. */
export type Renaming = Pick<DetailsChange, keyof WireNaming>;

/** The names that the host page gives the sessions, by numero. */
export type Names = ReadonlyMap<string, Naming>;

export const NO_DETAILS: Details = {};

/** Returns the details without absent and empty ones: the old object where it has the same. */
export function keepDetails(old: Details, details: DetailsChange): Details {
  const present = Object.entries(details).filter(([, value]) => value !== undefined && value !== '');
  const kept = present.map(([name, value]) => {
    const before: unknown = Reflect.get(old, name);
    const areObjects = before instanceof Object && value instanceof Object;
    return [name, areObjects ? keepIfEqual(before, value) : value];
  });
  return keepIfEqual(old, Object.fromEntries(kept));
}

/** A test message that the server has accepted, and what is known of it since. */
export interface LastMessage {
  readonly id: string;
  readonly status: 'accepted' | AckStatus;
  readonly error?: string | undefined;
  /** When the panel learned the status, in milliseconds since 1970, by the browser's clock. */
  readonly at: number;
}

/** In the order in which they may follow. A message that failed may be delivered after all, but not the other way round. */
const ORDER: readonly LastMessage['status'][] = ['accepted', 'server', 'failed', 'device', 'read'];

/** Returns the message after an ack: the same object where the ack is older, or of another message. */
export function afterAck(message: LastMessage, { id, status, error, at }: LastMessage): LastMessage {
  if (id !== message.id || ORDER.indexOf(status) <= ORDER.indexOf(message.status)) return message;
  return { id, status, error, at };
}

/** A session as the server describes it, or as the panel shows it. Never changed in place. */
export type Session = Readonly<WireSession>;

export type Push = { readonly numero: string } & (
  | { readonly type: 'qr'; readonly qrCode: string }
  | { readonly type: 'disconnected' | 'authenticated' | 'qr_timeout' | 'ready' }
  | { readonly type: 'change_state'; readonly state: string }
  | ({ readonly type: 'created' } & Description)
  | { readonly type: 'deleted'; readonly notice?: string | undefined }
  | MetadataPush
);

/** An event that says nothing of the state: an undefined `pairing` is over. */
type MetadataPush =
  | { readonly type: 'details'; readonly change: DetailsChange }
  | { readonly type: 'code'; readonly pairing: Pairing | undefined }
  | ({ readonly type: 'ack' } & Omit<LastMessage, 'at'>);

/** A push, or the server's answer to a start or a deletion. */
export type SessionEvent = Push | { readonly type: 'started'; readonly numero: string };

/** An event, and its moment in milliseconds since 1970: it may be dispatched later. */
export type TimedEvent = SessionEvent & { readonly at: number };

/** Why a session changed: an event; the server's list; a deletion that was confirmed (`closing`) or that failed (`reopened`). */
export type Cause = Exclude<SessionEvent['type'], MetadataPush['type']> | 'listed' | 'closing' | 'reopened';

/** What the server says of a session. */
export interface Description {
  readonly session: Session;
  readonly details: Details;
}

/** Returns the description after an event; undefined where the server has no such session. Only a start or its creation makes one. */
export function apply(known: Description | undefined, event: SessionEvent): Description | undefined {
  if (event.type !== 'started') return afterPush(known, event);
  const session = { numero: event.numero, state: STATES.authenticating, waiting: true };
  // They are of the life before.
  const ended = { codeExpires: undefined, reason: undefined, by: undefined, passkey: undefined };
  return { session, details: { ...known?.details, ...ended } };
}

/** The same after a push. */
export function afterPush(known: Description | undefined, push: Push): Description | undefined {
  if (push.type === 'created') return push;
  if (!known || push.type === 'deleted') return undefined;
  const { session, details } = known;
  if (push.type === 'details') return { session, details: { ...details, ...push.change } };
  return { session: next(session, push), details };
}

function next(session: Session, push: Push): Session {
  const { numero, state, waiting } = session;
  switch (push.type) {
    case 'qr':
      return { numero, state: STATES.authenticating, qrCode: push.qrCode, waiting: false };
    case 'authenticated':
      return { numero, state, waiting };
    case 'ready':
      return { numero, state: STATES.connected, waiting: false };
    case 'disconnected':
    case 'qr_timeout':
      return { numero, state: STATES.disconnected, waiting: false };
    case 'change_state':
      // Some servers repeat the state all the time.
      return push.state === state ? session : { ...session, state: push.state };
    default:
      return session;
  }
}
