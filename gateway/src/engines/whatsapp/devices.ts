import { Disk } from '../../store/disk.ts';
import type { SessionStore } from '../../store/session-store.ts';
import { DeviceCredentials } from './credentials.ts';
import type { Library } from './library.ts';

/** The credentials of all sessions: one object per numero, until they are void or no longer this process's. */
export class Devices {
  readonly #store: SessionStore;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #credentials = new Map<string, DeviceCredentials>();

  /** @param print operator log: one sentence per call */
  constructor(store: SessionStore, library: Library, print: (sentence: string) => void) {
    this.#store = store;
    this.#library = library;
    this.#disk = new Disk(print);
  }

  /** Returns the credentials of a stored session. Throws a `StoreError` if they cannot be read. */
  get(numero: string): DeviceCredentials {
    const known = this.#credentials.get(numero);
    if (known) return known;
    const credentials = new DeviceCredentials(numero, this.#store.keys(numero), this.#library, this.#disk);
    this.#credentials.set(numero, credentials);
    return credentials;
  }

  /** Drops changes to the credentials that have not been written. */
  discard(numero: string): void {
    this.#credentials.get(numero)?.drop();
    this.#credentials.delete(numero);
  }

  /** Erases the credentials of a session; later writes to them are dropped. See `SessionStore.erase`. */
  async erase(numero: string): Promise<void> {
    this.discard(numero);
    await this.#store.erase(numero);
  }

  /** Erases a session with its credentials. See `SessionStore.remove`. */
  async remove(numero: string): Promise<void> {
    this.discard(numero);
    await this.#store.remove(numero);
  }

  /** Forgets the credentials of a session once nothing of them is being written. */
  async release(numero: string): Promise<void> {
    await this.#credentials.get(numero)?.settled();
    this.discard(numero);
  }

  /** Closes the store once nothing is being written. */
  async close(): Promise<void> {
    await Promise.all([...this.#credentials.values()].map((credentials) => credentials.settled()));
    for (const credentials of this.#credentials.values()) credentials.drop();
    await this.#store.close();
  }
}
