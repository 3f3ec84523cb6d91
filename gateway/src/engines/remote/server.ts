import type { WireQuota } from '../../../../src/wire.ts';
import type { Ack, Limit, PasskeyAssertion, PasskeyChallenge } from '../../sessions/engine.ts';
import type { EngineExtension } from '../extensions.ts';

/**
 * Another server with its own sessions, as an adapter presents it to the {@link RemoteEngine}. Sessions there have
 * names; the engine knows their numeros.
 */
export interface RemoteServer {
  /** Its name for operators, such as `WAHA`. */
  readonly title: string;
  /** The oldest version that is known to work; absent if the server reports no version. */
  readonly oldest?: string;
  /** Absent if no feed covers all of the server's sessions: its list is then read every 3 s. */
  readonly events?: ServerEvents;
  /** What it supports of the contract's extensions, as far as its version is known. */
  readonly extensions: readonly EngineExtension[];
  /** Simultaneous starts that it can handle. */
  readonly startsAtOnce: number;

  /** Closes the feed, and ends what is under way. */
  close(): void;

  /** Returns its version; absent if the server reports none. Rejects with a `RemoteError`, like all methods below. */
  version?(): Promise<string>;

  /** Returns its current sessions. */
  list(): Promise<ListedSession[]>;

  /** Creates a session and starts it. */
  create(name: string): Promise<void>;

  /** Starts a session, or restarts it. */
  start(name: string, before: Known): Promise<void>;

  /** Unlinks a session from its account; it stays. Resolves with false if it is not linked. */
  unlink(name: string): Promise<boolean>;

  /** Erases the credentials of a `failed` session, which then shows codes; absent if no session is ever `failed`. */
  relink?(name: string): Promise<void>;

  /** Deletes a session, and resolves when it is no longer listed; one that no longer exists counts as deleted. */
  remove(name: string): Promise<void>;

  /**
   * Returns the code to scan that is valid now, or undefined if there is none; absent if codes come only by the feed.
   */
  code?(name: string): Promise<Code | undefined>;

  /**
   * Returns a code to type on the phone of a number, in digits; undefined if the server has none. The session may end
   * and start again meanwhile.
   */
  pair?(name: string, digits: string): Promise<Code | undefined>;

  /** How a session goes on that is at `sign` or `confirm`; absent if none ever is. */
  readonly passkeys?: RemotePasskeys;

  /** Returns WhatsApp's address of a number, in digits; undefined if it does not use WhatsApp. */
  find(name: string, digits: string): Promise<string | undefined>;

  /**
   * Asks for something that changes nothing and that the server can answer only with WhatsApp's help; absent if `find`
   * is that.
   *
   * @param digits those of the session's own number
   */
  probe?(name: string, digits: string): Promise<void>;

  /** Sends a text to an address. */
  send(name: string, address: string, text: string): Promise<Sent>;
}

/** The steps of a passkey. Each call resolves with undefined, or with false, if the session is not at its step. */
export interface RemotePasskeys {
  /** Returns what the passkey has to sign. */
  challenge(name: string): Promise<PasskeyChallenge | undefined>;
  sign(name: string, assertion: PasskeyAssertion): Promise<boolean>;
  /** Returns the code to compare with that on the phone. */
  confirmation(name: string): Promise<string | undefined>;
  /** Says that the codes are the same. */
  confirm(name: string): Promise<boolean>;
}

/** A code to scan or to type. */
export interface Code {
  readonly code: string;
  /** When it expires, in milliseconds since 1970, if known. */
  readonly expires?: number | undefined;
}

/** The feed of a server's events. */
export interface ServerEvents {
  /** The advice for missing events. */
  readonly remedy: string;
  /**
   * Opens the feed, and opens it again whenever it breaks or stays silent, until the server is closed. Resolves when
   * it is open or the first attempt has failed.
   */
  open(feed: Feed): Promise<void>;
}

/** The outcome of a message: its id in the feed, if the feed reports it, or why it was not sent. */
export type Sent = { readonly id: string | undefined } | 'not-connected' | 'refused' | 'restricted';

/** The linked account, as far as it is known. */
export interface Account {
  readonly digits?: string | undefined;
  /** The account's own name. */
  readonly name?: string | undefined;
  /** How WhatsApp restricts the account while it is connected; null if it does not. */
  readonly limit?: Limit | null | undefined;
  /** The new chats that WhatsApp allows; null if it does not limit them. */
  readonly quota?: WireQuota | null | undefined;
}

/** A session as the server lists it. */
export interface ListedSession {
  readonly name: string;
  /** Undefined if unknown: the session exists, and stays as it was. */
  readonly status: Status | undefined;
  readonly account: Account;
  /** The digits that somebody stored with the session. */
  readonly noted?: string | undefined;
}

/** The states of a session, in the engine's terms. */
export type Status =
  /** It does not run. */
  | 'stopped'
  /** It ended, and WhatsApp may have rejected its credentials: if it fails again when it is started, it has. */
  | 'failed'
  | 'starting'
  /** It connects again, and a phone is surely linked. */
  | 'reconnecting'
  /** It shows codes to scan. */
  | 'scanning'
  | 'connected'
  /** Nobody scanned any of its codes. */
  | 'expired'
  /** The phone's owner, or WhatsApp, removed the device. */
  | 'logged-out'
  /** The account requires a passkey to link a device, and the session has ended. */
  | 'passkey'
  /** The account's passkey has to sign. */
  | 'sign'
  /** A code has to be compared with that on the phone. */
  | 'confirm'
  /** WhatsApp has restricted the account. */
  | 'restricted';

/** The status of a message; `server` if only WhatsApp has it. */
export type RemoteAck = Ack | 'server';

/** Receives the events of a server. */
export interface Feed {
  /** Events arrive from now on; earlier ones are lost. */
  opened(): void;
  /** Events no longer arrive. */
  closed(): void;
  /** @param account the linked account, if the event has it */
  status(name: string, status: Status, account?: Account): void;
  /** A new code to scan, which implies the status. */
  code(name: string, code: Code): void;
  /** A message has a new status. */
  ack(name: string, id: string, ack: RemoteAck): void;
  /** The list has changed: a session was added or removed. */
  changed(): void;
  /** A session was removed; the list may still have it for some seconds. */
  removed(name: string): void;
}

/**
 * What the engine knows about a session: the server's last status, that a step of the passkey was done here, that
 * another phone is linked, or nothing.
 */
export type Known = Status | 'signed' | 'other-number' | 'unknown';
