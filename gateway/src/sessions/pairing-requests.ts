import type { WirePairing } from '../../../src/wire.ts';
import type { Engine } from './engine.ts';
import { NotPairable, SessionRefused } from './errors.ts';

/**
 * The requests of a session for codes to type. They do not wait for others: one from a link's page would hold up starts
 * and deletions while WhatsApp is silent.
 */
export class PairingRequests {
  readonly #numero: string;
  readonly #engine: Pick<Engine, 'pair'>;
  /** The one under way. */
  #requested: Promise<WirePairing> | undefined;

  constructor(numero: string, engine: Pick<Engine, 'pair'>) {
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
