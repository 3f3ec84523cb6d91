import type { DeliveryFailure } from './engine.ts';

/** Why the session manager refuses to do something. */
export type Refusal =
  /** There is no session of that numero. */
  | 'unknown'
  /** The session that is to send is not connected. */
  | 'not-connected'
  /** The session was deleted while it was starting. */
  | 'deleted';

/** A request that the manager understood and refuses; `http.ts` knows the status and the sentence for it. */
export class SessionRefusal extends Error {
  override readonly name = 'SessionRefusal';
  readonly reason: Refusal;
  readonly numero: string;

  constructor(reason: Refusal, numero: string) {
    super(`${reason}: ${numero}`);
    this.reason = reason;
    this.numero = numero;
  }
}

/** WhatsApp does not let a session start now; thrown by the engine's `start`. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
  readonly numero: string;

  constructor(numero: string) {
    super(`start refused: ${numero}`);
    this.numero = numero;
  }
}

/** A recipient that a message was not sent to, or not surely, and why. */
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
