import { DeviceCredentials } from '../../../src/engines/whatsapp/credentials.ts';
import type { Library } from '../../../src/engines/whatsapp/library.ts';
import type { EngineLedger } from '../../../src/ledger/engine-ledger.ts';
import { Operations } from '../../../src/ledger/operations.ts';

/** The credentials of all sessions: one object per numero, until they are void or no longer this process's. */
export class Devices {
  readonly #ledger: EngineLedger;
  readonly #library: Library;
  readonly #operations: Operations;
  readonly #credentials = new Map<string, DeviceCredentials>();

  /** @param print operator log: one sentence per call */
  constructor(ledger: EngineLedger, library: Library, print: (sentence: string) => void) {
    this.#ledger = ledger;
    this.#library = library;
    this.#operations = new Operations(print);
  }

  /** Returns the credentials of a stored session. Throws a `StoreError` if they cannot be read. */
  get(numero: string): DeviceCredentials {
    const known = this.#credentials.get(numero);
    if (known) return known;
    const credentials = new DeviceCredentials(
      numero,
      this.#ledger.keys(numero),
      this.#library,
      this.#operations,
    );
    this.#credentials.set(numero, credentials);
    return credentials;
  }

  /** Drops changes to the credentials that have not been written. */
  discard(numero: string): void {
    this.#credentials.get(numero)?.drop();
    this.#credentials.delete(numero);
  }

  /** Erases the credentials of a session; later writes to them are dropped. See `Ledger.erase`. */
  async erase(numero: string): Promise<void> {
    this.discard(numero);
    await this.#ledger.erase(numero);
  }

  /** Erases a session with its credentials. See `Ledger.remove`. */
  async remove(numero: string): Promise<void> {
    this.discard(numero);
    await this.#ledger.remove(numero);
  }

  /** Forgets the credentials of a session once nothing of them is being written. */
  async release(numero: string): Promise<void> {
    await this.#credentials.get(numero)?.settled();
    this.discard(numero);
  }

  /** Closes the ledger once nothing is being written. */
  async close(): Promise<void> {
    await Promise.all([...this.#credentials.values()].map((credentials) => credentials.settled()));
    for (const credentials of this.#credentials.values()) credentials.drop();
    await this.#ledger.close();
  }
}
