import type { Static } from 'typebox';
import type { WirePairing, WireQuota } from '../../../src/wire.ts';
import type { ProxyError } from '../proxy/failure.ts';
import type { ProxyServer } from '../proxy/proxy.ts';
import type { Assertion } from '../wire-schemas.ts';

/**
 * Links numeros to WhatsApp. An engine knows nothing of HTTP, sockets or texts on the screen: sessions call the
 * engine and receive its reports.
 */
export interface Engine {
  /**
   * Restores existing sessions; called once, before anything else. For each one the engine calls `resume`, which lists
   * the session as waiting, and reports on it from then on. Later it calls `resume` for a session that appears without
   * having been started here.
   */
  restore(resume: (numero: string) => Report): void | Promise<void>;

  /**
   * Takes over sessions that another gateway owned, and that are now in the store: like `restore` for these only.
   * Absent if sessions cannot move, like `release`.
   */
  resume?(numeros: readonly string[], begin: (numero: string) => Report): Promise<void>;

  /**
   * Releases a session without a report: closes its connection, writes pending data, and forgets it. It stays linked.
   * Resolves when another gateway may log in.
   */
  release?(numero: string): Promise<void>;

  /**
   * Starts or restarts a session. A linked numero reconnects without a new code, unless its keys were reported as
   * `dead-keys` last: they are erased. Resolves when the attempt has begun,
   * not when it has succeeded; from then on, or sooner, all its events go to `report`, and no longer to the report of
   * an earlier start. Rejects with `StartRefused` if WhatsApp refuses, and with `StoreError` if the store fails.
   */
  start(numero: string, report: Report): Promise<void>;

  /**
   * Unlinks a session and erases its credentials. Does nothing for an unknown numero. Rejects with `StoreError` if the
   * deletion cannot be saved.
   */
  remove(numero: string): Promise<void>;

  /**
   * Unlinks a session from its account and erases its credentials; the session stays. Rejects with `NotLinked` if it is
   * not linked, and with `StoreError`. What follows is reported: `disconnected` with the reason `unlinked`.
   */
  unlink(numero: string): Promise<void>;

  /**
   * Returns a code that links the phone of this numero, and no other, when it is typed there; the same one while it is
   * valid long enough to type it. Its end is reported. Rejects with `NotPairable` if the session is not waiting for a
   * phone to be linked, or if WhatsApp does not give a code. Until it has settled it is not called again for the session,
   * except after a start.
   */
  pair(numero: string): Promise<Pairing>;

  /**
   * Returns what the passkey of the account has to sign. Rejects with `NoPasskeyStep` unless the session waits for that.
   * Absent, like `passkey`, if a session ends where the account requires a passkey.
   */
  passkeyChallenge?(numero: string): Promise<PasskeyChallenge>;

  /**
   * Goes on with a step: with the signature at `sign`, without one at `confirm`, where somebody has compared the codes.
   * Rejects with `NoPasskeyStep` if the session does not wait for it. What follows is reported.
   */
  passkey?(numero: string, assertion?: PasskeyAssertion): Promise<void>;

  /**
   * Asks WhatsApp, or the server that has the session, for something that changes nothing. Resolves with whether there
   * was an answer, at the latest within half a minute; with undefined if the outcome says nothing about this session.
   * Called only while the session is connected, as far as the engine knows. Absent if there is nothing to ask.
   */
  probe?(numero: string): Promise<boolean | undefined>;

  /**
   * Connects a session anew that does not answer; what follows is reported as usual. Absent if that would not help.
   */
  reconnect?(numero: string): void;

  /** The `host:port` of the proxy of sessions without one of their own, if there is one. */
  readonly proxy?: string | undefined;

  /**
   * Tests whether WhatsApp is reached through a proxy. Resolves with the address that it sees, if that is known; rejects
   * with a `ProxyError`. Absent if the engine uses no proxies of sessions.
   */
  testProxy?(proxy: ProxyServer): Promise<string | undefined>;

  /** Connects a session anew, through the proxy that the ledger has now, if it is connected or about to be. */
  reroute?(numero: string): void;

  /**
   * Sends a text from a connected session to a number, in digits. Returns the outcome within half a minute.
   *
   * @param acked called after the outcome, at each new status of the message
   */
  send(numero: string, to: string, text: string, acked: (ack: Ack) => void): Promise<Delivery>;

  /** Closes every session but keeps its credentials, and leaves no timer behind. */
  close(): void | Promise<void>;
}

/** The outcome of a message: WhatsApp has accepted it, or why it has not. */
export type Delivery = 'sent' | DeliveryFailure;

export type DeliveryFailure =
  /** The number does not use WhatsApp; nothing was sent. */
  | 'no-whatsapp'
  /** There was no connection; nothing was sent. */
  | 'not-connected'
  /** WhatsApp did not answer in time; nothing was sent. */
  | 'no-answer'
  /** Too many messages were queued; nothing was sent. */
  | 'too-many'
  /** The server that has the session does not answer; nothing was sent. */
  | 'no-server'
  /** The store has no space for the keys that a message changes; nothing was sent. */
  | 'store-full'
  /** The store failed to read or write the keys that a message needs; nothing was sent. */
  | 'store-failed'
  /** Another gateway owns the session, or is about to; nothing was sent. */
  | 'moving'
  /** The message was sent, but WhatsApp did not confirm it: it may or may not arrive. */
  | 'unconfirmed'
  /** The account may not write to this contact now, because WhatsApp has restricted it; nothing was delivered. */
  | 'restricted'
  /** WhatsApp rejected the message. */
  | 'refused';

/** The status of a message that WhatsApp has accepted: the phone has it, it was read, or it failed after all. */
export type Ack = 'device' | 'read' | 'failed';

/** A code to type on the phone, with the time in milliseconds since 1970. */
export type Pairing = Readonly<WirePairing>;

/** A step of linking a phone whose account requires a passkey. */
export type PasskeyStep =
  /** The passkey has to sign the challenge; again if WhatsApp has refused what was signed before. */
  | { readonly step: 'sign'; readonly isAgain?: true }
  /** Somebody has to compare the code with that on the phone. */
  | { readonly step: 'confirm'; readonly code: string }
  /** WhatsApp, or the server that has the session, is about to go on. */
  | { readonly step: 'wait' };

/** Why a passkey has not linked the phone: see `PASSKEY_FAILURES` of `passkey.ts`. */
export type PasskeyFailure = 'refused' | 'unanswered' | 'no-phone' | 'expired' | 'unknown' | 'lost';

/** The options of a WebAuthn request (https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialrequestoptionsjson). */
export interface PasskeyChallenge {
  readonly challenge: string;
  readonly [option: string]: unknown;
}

/** The answer to it. */
export type PasskeyAssertion = Static<typeof Assertion>;

/** Reports the events of one session. */
export type Report = (event: EngineEvent) => void;

/** The events of a session, in the order of a normal life. */
export type EngineEvent =
  /**
   * A new code to scan replaces the previous one. It is valid until `expires`, in milliseconds since 1970, if the
   * engine knows.
   */
  | { type: 'qr'; code: string; expires?: number }
  /** The code was scanned, and the account requires a passkey; again at each step. */
  | { type: 'passkey'; passkey: PasskeyStep }
  /** The code was scanned; `ready` follows. */
  | { type: 'authenticated' }
  /** Messages can be sent. */
  | { type: 'ready' }
  /** A state in WhatsApp's words, such as `OPENING` while reconnecting. */
  | { type: 'state'; state: string }
  /**
   * Every code expired without a phone being linked; `outdated` if WhatsApp may no longer accept the engine's client
   * version, so that phones cannot be linked.
   */
  | { type: 'qr_timeout'; reason?: 'outdated' }
  /** The session ended: unlinked on the phone, or failed for good. */
  | { type: 'disconnected'; reason?: End }
  /** The session is interrupted; the engine retries by itself. */
  | ({ type: 'delayed' } & Delay)
  /** The account's own name, once it is known and when it changes. */
  | { type: 'name'; name: string }
  /** The code to type on the phone; undefined when it expires. */
  | { type: 'pairing'; pairing: Pairing | undefined }
  /** The session ended for a reason that requires a person. */
  | ({ type: 'stopped' } & Stop)
  /** Somebody removed the session elsewhere. */
  | { type: 'removed' }
  | Sign;

/** Shortest time between two signals of a session, in milliseconds. */
export const SIGNAL_EVERY = 60_000;

/** What the engine learns of a session beside its state. */
export type Sign =
  /** WhatsApp sent something; reported once in {@link SIGNAL_EVERY} at most. */
  | { type: 'signal' }
  /** WhatsApp restricts the account while it stays connected; undefined when that is over. */
  | { type: 'limited'; limit: Limit | undefined }
  /** The new chats that WhatsApp allows; undefined when it no longer tells. */
  | { type: 'quota'; quota: WireQuota | undefined }
  /** The address from which WhatsApp sees it come, through its proxy; undefined where that is not known. */
  | { type: 'exit'; exit: string | undefined };

/** WhatsApp lets the account answer, but not write to new contacts. */
export interface Limit {
  /** In milliseconds since 1970; absent where WhatsApp does not say. */
  readonly until?: number;
}

export type Delay =
  /** No answer from WhatsApp's servers: no internet, or something blocks it. */
  | { reason: 'unreachable' }
  /** The session's proxy does not work, and it does not go out without it. */
  | ({ reason: 'proxy' } & Pick<ProxyError, 'proxy' | 'failure'>)
  /** The server that has the session does not answer. */
  | { reason: 'no-server' }
  /** WhatsApp rejects the credentials; they are erased, and codes follow. */
  | { reason: 'relinking' }
  /** WhatsApp rejects the engine's client version. */
  | { reason: 'outdated' }
  /** WhatsApp closes each login; the keys are kept until the next start, which links a phone anew. */
  | { reason: 'dead-keys' }
  /** WhatsApp has banned the account until then, in milliseconds since 1970. */
  | { reason: 'banned'; until: number };

/** Why a session ended; it can be started again. */
export type End =
  /** WhatsApp ended it, for whatever reason. */
  | 'logged-out'
  /** The device was removed from the account, which the phone's owner can do. */
  | 'device-removed'
  /** Somebody asked for it here. */
  | 'unlinked'
  /** The server that had it connected does not say why. */
  | 'connection-lost'
  /** The credentials that WhatsApp gave could not be saved. */
  | 'unsaved';

export type Stop =
  /** The account requires a passkey to link a device, which failed, or which the engine cannot provide. */
  | { reason: 'passkey'; cause?: PasskeyFailure }
  /** WhatsApp has restricted the account. */
  | { reason: 'restricted' }
  /** The same session was opened elsewhere. */
  | { reason: 'replaced' }
  /** The code was scanned with the phone of another number, which was unlinked again. */
  | { reason: 'other-number'; numero: string };
