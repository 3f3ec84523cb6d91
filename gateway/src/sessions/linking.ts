import type { WireListItem, WirePairing } from '../../../src/wire.ts';
import type { Engine, PasskeyAssertion, PasskeyChallenge, PasskeyStep } from './engine.ts';
import { NoPasskeyStep, NotPairable, SessionRefused } from './errors.ts';

/*
 * What sessions ask of their engine to link a phone. Each rejects with a `SessionRefused` where the engine's own error
 * says that the session is in the wrong state.
 */

/**
 * The requests of a session for codes to type. They do not wait for others: one from a link's page would hold up starts
 * and deletions while WhatsApp is silent.
 */
export class PairingRequests {
  readonly #numero: string;
  readonly #engine: Engine;
  /** The one under way. */
  #requested: Promise<WirePairing> | undefined;

  constructor(numero: string, engine: Engine) {
    this.#numero = numero;
    this.#engine = engine;
  }

  /** Returns a code, or joins the request under way. Rejects as `Registry.pair` does. */
  async request(): Promise<WirePairing> {
    const requested = this.#requested ?? this.#ask();
    this.#requested = requested;
    try {
      return await requested;
    } finally {
      if (this.#requested === requested) this.discard();
    }
  }

  /** Lets the next request be one of its own: the one under way is of an earlier start. */
  discard(): void {
    this.#requested = undefined;
  }

  async #ask(): Promise<WirePairing> {
    try {
      return await this.#engine.pair(this.#numero);
    } catch (error) {
      if (!(error instanceof NotPairable)) throw error;
      throw new SessionRefused(
        error.reason === 'not-waiting' ? 'not-pairable' : 'no-pairing-code',
        this.#numero,
      );
    }
  }
}

/** @param session as it is listed */
export function requestChallenge(
  engine: Engine,
  numero: string,
  session: WireListItem | undefined,
): Promise<PasskeyChallenge> {
  return atStep('sign', numero, session, engine.passkeyChallenge?.bind(engine, numero));
}

/**
 * @param session as it is listed
 * @param assertion undefined to say that the codes are the same
 */
export function goOn(
  engine: Engine,
  numero: string,
  session: WireListItem | undefined,
  assertion: PasskeyAssertion | undefined,
): Promise<void> {
  const step = assertion ? 'sign' : 'confirm';
  return atStep(step, numero, session, engine.passkey?.bind(engine, numero, assertion));
}

async function atStep<T>(
  step: PasskeyStep['step'],
  numero: string,
  session: WireListItem | undefined,
  request: (() => Promise<T>) | undefined,
): Promise<T> {
  const refusal = new SessionRefused('no-passkey-step', numero);
  if (session?.passkey?.step !== step || !request) throw refusal;
  return request().catch((error: unknown) => {
    throw error instanceof NoPasskeyStep ? refusal : error;
  });
}
