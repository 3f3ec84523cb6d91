import {
  type NumeroEvent,
  STATES,
  type WireAck,
  type WireDetailsChange,
  type WireListItem,
  type WirePairing,
  type WirePasskey,
  type WireSession,
} from '../../../src/wire.ts';
import { shownStep, wordsOfStep } from './passkey.ts';
import { reasonAfter, wordsOf } from './reasons.ts';
import { type Change, isChange, type SessionEvent } from './session-event.ts';

/** A push to every panel about a session's state, before it gets its event name. */
export type StatePush =
  | { event: 'qr'; numero: string; code: string }
  | { event: Exclude<NumeroEvent, 'qr'>; numero: string }
  | { event: 'change_state'; numero: string; state: string };

/** A push of the contract's extensions (docs/contract.md). */
type ExtensionPush =
  | { event: 'created'; numero: string; session: WireListItem }
  | { event: 'deleted'; numero: string; by?: string }
  | { event: 'details'; numero: string; change: WireDetailsChange }
  | { event: 'code'; numero: string; pairing: WirePairing | null }
  | { event: 'passkey'; numero: string; passkey: WirePasskey | null }
  | { event: 'ack'; numero: string; ack: WireAck };

export type Push = StatePush | ExtensionPush;

const EXTENSION_EVENTS = ['created', 'deleted', 'details', 'code', 'passkey', 'ack'];

export function isStatePush(push: Push): push is StatePush {
  return !EXTENSION_EVENTS.includes(push.event);
}

/**
 * Applies an event to the session, and returns the pushes that make the panels show the same state.
 *
 * @param by the user who caused it
 */
export function apply(session: WireListItem, event: SessionEvent, by?: string): StatePush[] {
  if (event.type === 'name') {
    session.name = event.name;
    return [];
  }
  if (!isChange(event)) return [];
  const { state } = session;
  const pushes = enter(session, event);
  if (session.state !== state) {
    session.since = Date.now();
    delete session.by;
  }
  if (by !== undefined) session.by = by;
  const reason = reasonAfter(event, by);
  if (reason) session.reason = reason;
  else delete session.reason;
  if (event.type === 'qr' && event.expires !== undefined) session.codeExpires = event.expires;
  else delete session.codeExpires;
  if (event.type === 'passkey') session.passkey = shownStep(event.passkey);
  else delete session.passkey;
  return pushes;
}

function enter(session: WireSession, event: Change): StatePush[] {
  const { numero } = session;
  switch (event.type) {
    case 'qr':
      session.state = STATES.authenticating;
      session.qrCode = event.code;
      session.waiting = false;
      return [{ event: 'qr', numero, code: event.code }];
    case 'authenticated':
      delete session.qrCode;
      return [{ event: 'authenticated', numero }];
    case 'ready':
      session.state = STATES.connected;
      delete session.qrCode;
      session.waiting = false;
      return [{ event: 'ready', numero }];
    case 'state':
      return goOn(session, event.state);
    case 'passkey':
      return goOn(session, wordsOfStep(event.passkey).state);
    case 'delayed':
      return goOn(session, wordsOf(event).state);
    case 'silent':
      return goOn(session, wordsOf({ reason: event.type }).state);
    case 'qr_timeout':
    case 'disconnected':
      return end(session, event.type);
    case 'stopped':
      return [...end(session, 'disconnected'), setState(session, wordsOf(event).state)];
  }
}

/** Ends the session first if a code is shown: it is void, and only an end removes it from the panels. */
function goOn(session: WireSession, state: string): StatePush[] {
  const before = session.qrCode === undefined ? [] : end(session, 'disconnected');
  return [...before, setState(session, state)];
}

function end(session: WireSession, event: 'disconnected' | 'qr_timeout'): StatePush[] {
  session.state = STATES.disconnected;
  delete session.qrCode;
  session.waiting = false;
  return [{ event, numero: session.numero }];
}

function setState(session: WireSession, state: string): StatePush {
  session.state = state;
  return { event: 'change_state', numero: session.numero, state };
}

/** Returns the pushes that bring panels to a session from any state. */
export function pushesTo({ numero, state, qrCode, waiting }: WireSession): StatePush[] {
  if (qrCode !== undefined) return [{ event: 'qr', numero, code: qrCode }];
  if (state === STATES.connected) return [{ event: 'ready', numero }];
  const stated: StatePush = { event: 'change_state', numero, state };
  if (waiting) return [stated];
  // Only `disconnected` ends the waiting, and it sets its own state.
  const ended: StatePush = { event: 'disconnected', numero };
  return state === STATES.disconnected ? [ended] : [ended, stated];
}
