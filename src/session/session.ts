/** What pushes and answers do to a session, as pure functions: docs/contract.md, Pushes. */
import { keepIfEqual } from '../keep-if-equal.ts';
import { STATES, type WireSession } from '../wire.ts';
import type { Ack } from './acks.ts';
import { type Details, type DetailsChange, NO_DETAILS, type Pairing } from './details.ts';

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
