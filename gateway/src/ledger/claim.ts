import type { Cipher } from './cipher.ts';
import type { Row, TakenSession } from './row.ts';
import { type Sealer, sealerOf } from './sealer.ts';

/** One promise for all claims that have had no statement: there are thousands. */
const FREE = Promise.resolve();

/** A session that this process owns. */
export class Claim {
  readonly numero: string;
  readonly epoch: string;
  leaving: boolean;
  /** The sealed rows of the credentials, the last use, the names, the link and the proxy, by type, as far as they were read. */
  readonly kept = new Map<string, Row | undefined>();
  /** Whether its keys are void, but could not be erased yet. */
  isVoid = false;
  /** Whether only the fact that it was deleted is kept. */
  isUnlisted = false;
  /**
   * Entries of its history until old ones are removed. The first entries of a process may follow many of another: they
   * are pruned at once.
   */
  left = 0;
  /** Settles when its last statement has. */
  free: Promise<unknown> = FREE;
  readonly #cipher: Cipher;
  #secret: string | null;
  #sealer: Sealer | undefined;

  /** @param cipher wraps its secret */
  constructor({ numero, epoch, leaving, secret = null }: TakenSession, cipher: Cipher) {
    this.numero = numero;
    this.epoch = epoch;
    this.leaving = leaving;
    this.#secret = secret;
    this.#cipher = cipher;
  }

  /** Its wrapped data keys; null from before there were any. */
  get secret(): string | null {
    return this.#secret;
  }

  set secret(secret: string | null) {
    this.#secret = secret;
    this.#sealer = undefined;
  }

  /** Seals its rows. Throws a `DecryptionError` if its secret is damaged. */
  get sealer(): Sealer {
    this.#sealer ??= sealerOf(this.#cipher, this.numero, this.#secret);
    return this.#sealer;
  }
}
