/**
 * What goes over the wire, with the names of spec §3 and §7. The panel and the gateway share it.
 */

/** One item of the answer to `GET /session/sessions` (spec §3). */
export interface WireSession {
  /** The phone number: the session's identifier. */
  numero: string;
  /** Text to display: one of {@link STATES}, or any other that the server pushes. */
  state: string;
  /** The text to draw as a QR code, while there is one to scan. */
  qrCode?: string;
  /** True while one can only wait: the card shows a spinner. */
  waiting: boolean;
}

/** The answer to `GET /session/levanta/{numero}` (spec §7). */
export interface WireStarted {
  numero: string;
}

/** The body of `POST /message` (spec §3). */
export interface WireMessage {
  mensaje: {
    /** The text of the message. */
    cuerpo: string;
    /** The numbers that it goes to. */
    contactos: number[];
  };
  /** The numero of the session that sends it. */
  remitente: string;
  autorespuesta: boolean;
  ids: number[];
  encolar: boolean;
}

/** The state texts that the spec names (§4). A server may push any other. */
export const STATES = {
  authenticating: 'AUTENTICANDO...',
  disconnected: 'DESCONECTADO',
  connected: 'CONNECTED',
  closing: 'CERRANDO SESIÓN...',
} as const;

/** The pushes that carry the numero in the event's name, as in `session:qr:5215550001111` (spec §7). */
export const NUMERO_EVENTS = ['qr', 'disconnected', 'authenticated', 'qr_timeout', 'ready'] as const;

export type NumeroEvent = (typeof NUMERO_EVENTS)[number];

/** The name on the wire of a push about one numero. */
export function eventName(event: NumeroEvent, numero: string): string {
  return `session:${event}:${numero}`;
}

/** The push that sets any state text; the numero is in its payload (spec §7). */
export const CHANGE_STATE = 'session:change_state';
