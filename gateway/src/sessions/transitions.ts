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
import type { Delay, Stop } from './engine.ts';
import { passkeyState, shownStep } from './passkey.ts';
import { reasonAfter } from './reasons.ts';
import { type Change, isChange, type SessionEvent } from './session-event.ts';

/** A push to every panel about a session's state, before it gets its event name. */
export type StatePush =
  | { event: 'qr'; numero: string; code: string }
  | { event: Exclude<NumeroEvent, 'qr'>; numero: string }
  | { event: 'change_state'; numero: string; state: string };

/** A push of the contract's extensions (docs/contract.md). */
export type ExtensionPush =
  | { event: 'created'; numero: string; session: WireListItem }
  | { event: 'deleted'; numero: string; by?: string }
  | { event: 'details'; numero: string; change: WireDetailsChange }
  | { event: 'code'; numero: string; pairing: WirePairing | null }
  | { event: 'passkey'; numero: string; passkey: WirePasskey | null }
  | { event: 'ack'; numero: string; ack: WireAck };

export type Push = StatePush | ExtensionPush;

export function isStatePush(push: Push): push is StatePush {
  switch (push.event) {
    case 'created':
    case 'deleted':
    case 'details':
    case 'code':
    case 'passkey':
    case 'ack':
      return false;
    default:
      return true;
  }
}

/**
 * Applies an event to the session, and returns the pushes that make the panels show the same state.
 */
export function apply(session: WireListItem, event: SessionEvent): StatePush[] {
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
  const reason = reasonAfter(event);
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
      return goOn(session, passkeyState(event.passkey));
    case 'delayed':
      return goOn(session, delayText(event));
    case 'silent':
      return goOn(session, SILENT);
    case 'qr_timeout':
    case 'disconnected':
      return end(session, event.type);
    case 'stopped':
      return [...end(session, 'disconnected'), setState(session, stopText(event))];
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

/*
 * Panels classify these texts by their form: three dots at the end mean that the state passes by itself; otherwise a
 * colon means that the text explains itself, and that a person has to act.
 */

const SILENT = 'SIN SEÑAL: WhatsApp no responde';

/** Returns the state of a session that waits for something beyond anyone's control here. */
export function delayText(delay: Delay): string {
  switch (delay.reason) {
    case 'unreachable':
      return 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...';
    case 'proxy':
      return 'SIN CONEXIÓN CON EL PROXY: se sigue intentando...';
    case 'no-server':
      return 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...';
    case 'relinking':
      return 'CLAVES CADUCADAS: se pide un código nuevo...';
    case 'outdated':
      return 'CLIENTE DESACTUALIZADO: hay que actualizar el servidor';
    case 'dead-keys':
      return 'CLAVES RECHAZADAS: hay que vincular el teléfono de nuevo';
    case 'banned':
      return 'WHATSAPP PIDE ESPERAR: se sigue intentando...';
  }
}

/** How the states of sessions that ended for a reason begin. */
const STOPS: Record<Stop['reason'], string> = {
  passkey: 'LLAVE DE ACCESO: ',
  restricted: 'CUENTA RESTRINGIDA ',
  replaced: 'ABIERTA EN OTRO SITIO: ',
  'other-number': 'NÚMERO DISTINTO: ',
};

/** Returns the state of a session that ended for a reason, with the next step if there is one. */
export function stopText(stop: Stop): string {
  return STOPS[stop.reason] + nextStep(stop);
}

/** Whether the state is that of a session that ended for a reason: only a person can lift it. */
export function isStopped(state: string): boolean {
  return Object.values(STOPS).some((beginning) => state.startsWith(beginning));
}

function nextStep(stop: Stop): string {
  switch (stop.reason) {
    case 'passkey':
      return 'WhatsApp la pide para esta cuenta, y aquí no se puede dar';
    case 'restricted':
      return 'por WhatsApp: consulta en el teléfono';
    case 'replaced':
      return 'levanta la sesión para usarla aquí';
    case 'other-number':
      return `se escaneó con el teléfono ${stop.numero}`;
  }
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
