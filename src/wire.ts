/** What goes over the wire: docs/contract.md. The panel and the gateway share it. */

/** One item of the answer to `GET /session/sessions`. */
export interface WireSession {
  /** The phone number: the session's identifier. */
  numero: string;
  /** Text to display: one of {@link STATES}, or any other that the server pushes. */
  state: string;
  /** The text to draw as a QR code, while there is one to scan. */
  qrCode?: string;
  /** True while the operator can only wait: the card shows a spinner. */
  waiting: boolean;
}

/** The body of `POST /message`. */
export interface WireMessage {
  mensaje: {
    cuerpo: string;
    contactos: number[];
  };
  /** The numero of the session that sends it. */
  remitente: string;
  autorespuesta: boolean;
  ids: number[];
  encolar: boolean;
}

/** The state texts of the contract. A server may push any other. */
export const STATES = {
  authenticating: 'AUTENTICANDO...',
  disconnected: 'DESCONECTADO',
  connected: 'CONNECTED',
  closing: 'CERRANDO SESIÓN...',
} as const;

/** The pushes that carry the numero in the event's name, as in `session:qr:5215550001111`. */
export const NUMERO_EVENTS = ['qr', 'disconnected', 'authenticated', 'qr_timeout', 'ready'] as const;

export type NumeroEvent = (typeof NUMERO_EVENTS)[number];

/** The name on the wire of a push about one numero, of the contract or of an extension. */
export function eventName(event: NumeroEvent | 'details' | 'code' | 'passkey', numero: string): string {
  return `session:${event}:${numero}`;
}

/** The push that sets any state text; the numero is in its payload. */
export const CHANGE_STATE = 'session:change_state';

/*
 * The optional extensions of the contract: docs/contract.md. A server announces its extensions right after a socket
 * connects. All times are milliseconds since 1970 by the server's clock.
 */

/** The push that announces extensions: words of {@link EXTENSIONS}, and others that a panel ignores. */
export const SERVER_EXTENSIONS = 'server:extensions';

export const EXTENSIONS = [
  'presence',
  'details',
  'label',
  'history',
  'unlink',
  'pairing',
  'link',
  'ack',
  'proxy',
  'passkey',
] as const;

export type Extension = (typeof EXTENSIONS)[number];

export interface WireExtensions {
  extensions: string[];
  /**
   * By what the server tells people who do not look at a panel, in the operators' words, such as `webhook y WhatsApp`;
   * absent where it tells nobody.
   */
  notifies?: string;
}

/**
 * The push, before that of the extensions, to a socket whose user may not do everything: {@link WirePermissions}. Without
 * it, everything is allowed.
 */
export const SERVER_PERMISSIONS = 'server:permissions';

/** What a user may do besides seeing sessions: codes, and calls. A panel ignores other words. */
export const PERMISSIONS = ['codes', 'start', 'send', 'label', 'unlink', 'delete', 'proxy'] as const;

export type Permission = (typeof PERMISSIONS)[number];

export interface WirePermissions {
  actions: string[];
  /** Who the server takes the user for. */
  name?: string;
}

/** What WhatsApp does not let a connected session do: it may answer, but not write to new contacts. */
export interface WireRestriction {
  /** In the operator's words, without an hour. */
  text: string;
  /** When it ends; absent where that is not known. */
  until?: number;
}

/** Why a session is not connected. */
export interface WireReason extends WireRestriction {
  /** A word that does not change, such as `logged-out`. */
  code: string;
}

/** The codes of reasons why a linked session lost its connection although no operator asked for that: docs/reasons.md. */
export const DROP_REASONS: ReadonlySet<string | undefined> = new Set([
  'logged-out',
  'device-removed',
  'unreachable',
  'proxy',
  'banned',
  'connection-lost',
  'restricted',
  'replaced',
  'no-server',
  'silent',
  'dead-keys',
]);

/** A valid link for the person who holds the phone. */
export interface WireLink {
  /** No secret: it opens nothing. */
  id: string;
  expires: number;
  /** When it was first opened; absent until then. */
  opened?: number;
}

/** The new chats that WhatsApp allows, and those that are used. */
export interface WireQuota {
  used: number;
  total: number;
}

/** How reliable a session that has dropped has been. */
export interface WireStability {
  /** How many days this covers, up to 30. */
  days: number;
  drops: number;
  /** How long it was away after that, in milliseconds. */
  away: number;
}

/**
 * A step of linking a phone whose account requires a passkey: in the list while there is one, and in
 * `session:passkey:{numero}`, which is null when it is over. Never in `session:details:{numero}`.
 */
export interface WirePasskey {
  /**
   * `sign`: somebody near the phone has to confirm with the passkey, on the page of the `url`, or else of a link for the
   * person who holds the phone. `confirm`: somebody has to compare the code in the text with that on the phone, and
   * `POST /session/{numero}/passkey` says that they are the same. Any other: there is nothing to do.
   */
  step: string;
  /** The same in the operator's words, with the code to compare. */
  text: string;
  url?: string;
}

/** The optional fields of an item of the list. */
export interface WireDetails {
  /** The account's own name. */
  name?: string;
  /** What the operators call the session, and the group they put it in: up to 60 characters each. */
  label?: string;
  group?: string;
  /** When the state began. */
  since?: number;
  reason?: WireReason;
  /** When the code on the list, or in the `session:qr` that follows, expires; absent where that is not known. */
  codeExpires?: number;
  link?: WireLink;
  /** Absent while WhatsApp lets it write to everybody. */
  restricted?: WireRestriction;
  /** Absent where WhatsApp does not tell it. */
  quota?: WireQuota;
  /** When WhatsApp last answered for it; pushed at most once a minute. */
  lastSignal?: number;
  /** Absent for a session that has not dropped. */
  stability?: WireStability;
  /** Who caused the state, where somebody did; absent for what WhatsApp or the phone did. */
  by?: string;
  /** The proxy through which the session connects, as `host:port`; absent while it has none. */
  proxy?: string;
  /** The address from which the other side sees it come, through the proxy; absent where that is not known. */
  exit?: string;
  passkey?: WirePasskey;
}

/** An item of the list, with the extension `details`. */
export interface WireListItem extends WireSession, WireDetails {}

/** The payload of `session:details:{numero}`: the details that changed; null for one that was removed. */
export type WireDetailsChange = { [Name in keyof WireDetails]?: WireDetails[Name] | null };

/**
 * The body of `PUT /session/{numero}/details`: null or an empty text removes. Here the proxy is a URL, which may have a name
 * and a password.
 */
export type WireNaming = Pick<WireDetailsChange, 'label' | 'group' | 'proxy'>;

/** Longest label or group, in characters. */
export const LONGEST_NAME = 60;

/** An entry of `GET /session/{numero}/history`, which answers the newest first. */
export interface WireHistoryEntry {
  at: number;
  /** The push, such as `disconnected`, or another word: `started`, `unlinked`, `link_opened`. */
  event: string;
  /** The state text from then on. */
  state: string;
  /** More on it in the operator's words, such as the text of the reason. */
  detail?: string;
  code?: string;
  by?: string;
}

/** The answer to `POST /session/{numero}/pairing`, and the payload of `session:code:{numero}`, which is null when it is over. */
export interface WirePairing {
  /** Eight characters to type on the phone. */
  code: string;
  expires: number;
}

/** The answer to `POST /session/{numero}/link`. */
export interface WireSentLink extends Pick<WireLink, 'id' | 'expires'> {
  url: string;
}

/** The delivery of a message: WhatsApp has it, the phone has it, it was read, or it failed. */
export const ACK_STATUSES = ['server', 'device', 'read', 'failed'] as const;

export type AckStatus = (typeof ACK_STATUSES)[number];

/** The payload of {@link MESSAGE_ACK}: the message has the id that `POST /message` answered. */
export interface WireAck {
  id: string;
  remitente: string;
  contacto: number;
  status: AckStatus;
  reason?: string;
}

/** The pushes of the extension `presence`: an item of the list, and {@link WireDeleted}. */
export const SESSION_CREATED = 'session:created';
export const SESSION_DELETED = 'session:deleted';

export interface WireDeleted {
  numero: string;
  /** What to tell the operator, such as who deleted it. */
  notice?: string;
}

/** The push of the extension `ack`. */
export const MESSAGE_ACK = 'message:ack';
