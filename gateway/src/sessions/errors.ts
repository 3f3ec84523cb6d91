import type { DeliveryFailure } from './engine.ts';

/** Why a request is refused. */
export type SessionRefusal =
  /** There is no session of that numero. */
  | 'unknown'
  /** The sending session is not connected. */
  | 'not-connected'
  /** The session was deleted while it was starting. */
  | 'deleted'
  /** The gateway is about to end. */
  | 'draining'
  /** Another gateway is taking the session over. */
  | 'moving'
  /** The gateway may not act for its sessions because it cannot reach the database. */
  | 'no-database'
  /** No gateway has room for another session. */
  | 'full'
  /** The session is linked to no account. */
  | 'not-linked'
  /** The session is connected: it needs no phone. */
  | 'connected'
  /** The session does not wait for a phone to be linked. */
  | 'not-pairable'
  /** WhatsApp returned no code to type. */
  | 'no-pairing-code'
  /** Its sessions have no proxies. */
  | 'no-proxies'
  /** The session does not wait for this step of a passkey. */
  | 'no-passkey-step'
  /** One of this gateway's own phones has the numero: another server must not have it too. */
  | 'held'
  /** The server that would have it has room for one session, which has another name. */
  | 'single';

/** A valid request that is refused; `http/sentences.ts` maps it to a status and a sentence. */
export class SessionRefused extends Error {
  override readonly name = 'SessionRefused';
  readonly reason: SessionRefusal;
  readonly numero: string;

  constructor(reason: SessionRefusal, numero: string) {
    super(`${reason}: ${numero}`);
    this.reason = reason;
    this.numero = numero;
  }
}

/** WhatsApp does not let a session start now; thrown by an engine's `start`. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly numero: string;

  constructor(numero: string) {
    super(`start refused: ${numero}`);
    this.numero = numero;
  }
}

/** A session is not linked to an account; thrown by an engine's `unlink`. */
export class NotLinked extends Error {
  override readonly name = 'NotLinked';
}

/** A session cannot be linked by a code to type; thrown by an engine's `pair`. */
export class NotPairable extends Error {
  override readonly name = 'NotPairable';
  /** Whether the session is in the wrong state, or WhatsApp returned no code. */
  readonly reason: 'not-waiting' | 'refused' | 'no-answer';

  constructor(reason: NotPairable['reason']) {
    super(`no pairing code: ${reason}`);
    this.reason = reason;
  }
}

/** A session does not wait for this step of a passkey; thrown by an engine's `passkey` and `passkeyChallenge`. */
export class NoPasskeyStep extends Error {
  override readonly name = 'NoPasskeyStep';
}

/** A recipient whose message was not sent, or perhaps not, and why. */
export interface FailedContact {
  readonly contact: string;
  readonly reason: DeliveryFailure;
}

/** A message did not reach every recipient; each was tried. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  readonly failed: readonly FailedContact[];

  constructor(failed: readonly FailedContact[]) {
    super(failed.map(({ contact, reason }) => `${reason}: ${contact}`).join(', '));
    this.failed = failed;
  }
}
