/** Why a phone refuses an action. */
export type PhoneRefusal =
  | 'unknown-phone'
  | 'no-code'
  | 'expired-code'
  | 'foreign-code'
  | 'already-linked'
  | 'not-linked'
  | 'not-connected'
  | 'no-line'
  | 'has-line'
  | 'no-session'
  | 'closing';

/** Thrown when a phone refuses an action; nothing has changed. */
export class PhoneRefused extends Error {
  override readonly name = 'PhoneRefused';
  readonly reason: PhoneRefusal;
  readonly numero: string;

  constructor(reason: PhoneRefusal, numero: string) {
    super(`${reason}: ${numero}`);
    this.reason = reason;
    this.numero = numero;
  }
}
