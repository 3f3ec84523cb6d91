/** What is known of a session beside its state, where the server or the host page tells it, as pure functions. */
import { keepIfEqual } from '../observable.ts';
import {
  type AckStatus,
  STATES,
  type WireAck,
  type WireDetails,
  type WirePairing,
  type WireSession,
} from '../wire.ts';

/** Moments are milliseconds since 1970, by the browser's clock. Never changed in place. */
export type Details = Readonly<WireDetails>;

/** A code to type on the phone. `expires` is in milliseconds since 1970, by the browser's clock. */
export type Pairing = Readonly<WirePairing>;

/** The details that changed; undefined for one that went. */
export type DetailsChange = { readonly [Name in keyof Details]: Details[Name] | undefined };

/** What a session is called. */
export interface Naming {
  readonly label?: string | undefined;
  readonly group?: string | undefined;
}

/** What the host page calls the sessions, by numero. */
export type Names = ReadonlyMap<string, Naming>;

export const NO_DETAILS: Details = {};

/** Returns the details without those that are absent or empty: the old object where it says the same. */
export function keepDetails(old: Details, details: DetailsChange): Details {
  const kept: DetailsChange = { ...details };
  for (const [name, value] of Object.entries(details)) {
    const before: unknown = Reflect.get(old, name);
    if (value === undefined || value === '') Reflect.deleteProperty(kept, name);
    else if (typeof value === 'object' && typeof before === 'object')
      Reflect.set(kept, name, keepIfEqual(before ?? undefined, value));
  }
  return keepIfEqual(old, kept);
}

/** What becomes of the last test message of a session, as pure functions. */

/** A test message that the server has accepted, and what is known of it since. */
export interface LastMessage {
  readonly id: string;
  readonly status: 'accepted' | AckStatus;
  /** Why it failed, in the operator's words. */
  readonly error?: string | undefined;
  /** When that became known, in milliseconds since 1970, by the browser's clock. */
  readonly at: number;
}

export type Ack = Readonly<Pick<WireAck, 'id' | 'status'>> & Pick<LastMessage, 'error'>;

/** Each comes after those before. One that failed may be delivered after all, but not the other way round. */
const ORDER: readonly LastMessage['status'][] = ['accepted', 'server', 'failed', 'device', 'read'];

/** Returns the message after an ack: the same object where that is of another message, or older. */
export function afterAck(message: LastMessage, { id, status, error }: Ack, at: number): LastMessage {
  if (id !== message.id || ORDER.indexOf(status) <= ORDER.indexOf(message.status)) return message;
  return { id, status, ...(error && { error }), at };
}

/** What pushes and answers do to a session, as pure functions: docs/contract.md, Pushes. */

/** A session as the server describes it, or as the panel shows it. Never changed in place. */
export type Session = Readonly<WireSession>;

/** An item of the server's list. */
export interface ListedSession extends Session {
  readonly details?: Details;
}

/** An event that the server pushes about one numero. */
export type Push =
  | { readonly type: 'qr'; readonly numero: string; readonly qrCode: string }
  | { readonly type: 'disconnected' | 'authenticated' | 'qr_timeout' | 'ready'; readonly numero: string }
  | { readonly type: 'change_state'; readonly numero: string; readonly state: string }
  | {
      readonly type: 'created';
      readonly numero: string;
      readonly session: Session;
      readonly details: Details;
    }
  | { readonly type: 'deleted'; readonly numero: string }
  | MetadataPush;

/** An event that says nothing of the state: an undefined `pairing` is over. */
export type MetadataPush =
  | { readonly type: 'details'; readonly numero: string; readonly change: DetailsChange }
  | { readonly type: 'code'; readonly numero: string; readonly pairing: Pairing | undefined }
  | ({ readonly type: 'ack'; readonly numero: string } & Ack);

/** A push, or the server's answer to a start or a deletion. */
export type SessionEvent = Push | { readonly type: 'started'; readonly numero: string };

/**
 * Why a session looks different: an event; the server's list; a deletion that the operator confirmed (`closing`) or that failed
 * (`reopened`).
 */
export type Cause = Exclude<SessionEvent['type'], MetadataPush['type']> | 'listed' | 'closing' | 'reopened';

/**
 * Returns the session that follows from an event, or `undefined` where there is none. Only a start or its
 * creation creates a session: another push about an unlisted one changes nothing.
 */
export function next(session: Session | undefined, event: SessionEvent): Session | undefined {
  if (event.type === 'started') {
    return { numero: event.numero, state: STATES.authenticating, waiting: true };
  }
  if (event.type === 'created') return keepIfEqual(session, event.session);
  if (event.type === 'deleted') return undefined;
  return session && afterPush(session, event);
}

/** Returns what the server says of a session beside its state, after an event. */
export function detailsAfter(details: Details | undefined, event: SessionEvent): Details {
  if (event.type === 'created') return event.details;
  if (event.type === 'details') return { ...details, ...event.change };
  // The end that was told is that of a code of the life before.
  return event.type === 'started' ? { ...details, codeExpires: undefined } : (details ?? NO_DETAILS);
}

function afterPush(session: Session, push: Exclude<Push, { readonly type: 'created' | 'deleted' }>): Session {
  const { numero } = session;
  switch (push.type) {
    case 'qr':
      return { numero, state: STATES.authenticating, qrCode: push.qrCode, waiting: false };
    case 'authenticated':
      return { numero, state: session.state, waiting: session.waiting };
    case 'ready':
      return { numero, state: STATES.connected, waiting: false };
    case 'disconnected':
    case 'qr_timeout':
      return { numero, state: STATES.disconnected, waiting: false };
    case 'change_state':
      // Some servers repeat the state all the time.
      return push.state === session.state ? session : { ...session, state: push.state };
    default:
      return session;
  }
}

/**
 * How a session looks from the confirmed deletion until the server answers. The code goes: nobody should scan what is about
 * to be deleted.
 */
export function closing({ numero }: Session): Session {
  return { numero, state: STATES.closing, waiting: true };
}
