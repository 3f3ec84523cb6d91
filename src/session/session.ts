/**
 * What can happen to a session, as pure functions (spec §3, §4).
 * No list here: a push is about one session, so its cost does not grow with the others.
 */
import { STATES, type WireSession } from '../wire.ts';

/** A session as the panel shows it. Never changed in place: another object is another look. */
export type Session = Readonly<WireSession>;

/** Something that the server said about one numero without being asked (spec §7). */
export type Push =
  | { readonly type: 'qr'; readonly numero: string; readonly qrCode: string }
  | { readonly type: 'disconnected' | 'authenticated' | 'qr_timeout' | 'ready'; readonly numero: string }
  | { readonly type: 'change_state'; readonly numero: string; readonly state: string };

/** Whatever changes what the panel knows of one numero: a push, or the end of a call of its own. */
export type SessionEvent =
  | Push
  | { readonly type: 'started'; readonly numero: string }
  | { readonly type: 'deleted'; readonly numero: string };

/**
 * The session that follows from an event, or `undefined` where there is none.
 * A push about a session that is not listed changes nothing: only a start creates one.
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
      // Said again it is no news: some servers repeat it all the time.
      return push.state === session.state ? session : { ...session, state: push.state };
  }
}

/**
 * How a session looks from the confirmed deletion until the server has answered (spec §4).
 * Its code goes: nobody should scan what is about to be deleted.
 */
export function closing(session: Session): Session {
  return { numero: session.numero, state: STATES.closing, waiting: true };
}
