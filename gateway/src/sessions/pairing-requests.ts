import type { WirePairing } from '../../../src/wire.ts';
import type { Engine } from './engine.ts';
import { requestPairing } from './linking.ts';

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
    const requested = this.#requested ?? requestPairing(this.#engine, this.#numero);
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
}
