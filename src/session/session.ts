/**
 * What pushes and answers do to a session, as pure functions (spec §3, §4). A push is about one session: its cost
 * does not grow with the length of the list.
 */
import { STATES, type WireSession } from '../wire.ts';

/** A session as the server describes it, or as the panel shows it. Never changed in place. */
export type Session = Readonly<WireSession>;

/** An event that the server pushes about one numero (spec §7). */
export type Push =
  | { readonly type: 'qr'; readonly numero: string; readonly qrCode: string }
  | { readonly type: 'disconnected' | 'authenticated' | 'qr_timeout' | 'ready'; readonly numero: string }
  | { readonly type: 'change_state'; readonly numero: string; readonly state: string };

/** A push, or the server's answer to a start or a deletion. */
export type SessionEvent =
  | Push
  | { readonly type: 'started'; readonly numero: string }
  | { readonly type: 'deleted'; readonly numero: string };

/**
 * Why a session looks different: an event; the server's list; a deletion that the operator confirmed (`closing`) or that failed
 * (`reopened`).
 */
export type Cause = SessionEvent['type'] | 'listed' | 'closing' | 'reopened';

/**
 * Returns the session that follows from an event, or `undefined` where there is none. Only a start creates a session:
 * a push about an unlisted one changes nothing.
 */
export function next(session: Session | undefined, event: SessionEvent): Session | undefined {
  if (event.type === 'started') {
    return { numero: event.numero, state: STATES.authenticating, waiting: true };
  }
  if (event.type === 'deleted') return undefined;
  return session && afterPush(session, event);
}

function afterPush(session: Session, push: Push): Session {
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
  }
}

/**
 * How a session looks from the confirmed deletion until the server answers (spec §4). The code goes: nobody should
 * scan what is about to be deleted.
 */
export function closing({ numero }: Session): Session {
  return { numero, state: STATES.closing, waiting: true };
}
