import type { EngineLedger } from '../../src/ledger/engine-ledger.ts';
import type { Change, CREDENTIALS, SessionKeys, StoredSession, USED } from '../../src/ledger/row.ts';
import { StoreError } from '../../src/ledger/store-error.ts';

interface Row extends StoredSession {
  readonly values: Map<string, string>;
}

/** A store in memory, whose writes can be held and can fail. */
export class MemoryStore implements EngineLedger {
  isOpen = true;
  readonly #rows = new Map<string, Row>();
  #held = Promise.resolve();
  #letGo = () => {};
  /** While true, every write fails. */
  isBroken = false;

  /** Holds all writes until {@link letGo}. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#letGo = resolve;
    });
  }

  letGo(): void {
    this.#letGo();
  }

  proxy(): undefined {}

  sessions(): StoredSession[] {
    return [...this.#rows.values()];
  }

  has(numero: string): boolean {
    return this.#rows.has(numero);
  }

  async add(numero: string): Promise<void> {
    await this.#writable(numero);
    this.#mark(numero, false);
  }

  async leave(numero: string): Promise<void> {
    await this.#writable(numero);
    if (this.has(numero)) this.#mark(numero, true);
  }

  async erase(numero: string): Promise<void> {
    await this.#writable(numero);
    this.#values(numero).clear();
  }

  async remove(numero: string): Promise<void> {
    await this.#writable(numero);
    this.#rows.delete(numero);
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    this.isOpen = false;
  }

  keys(numero: string): SessionKeys {
    return {
      first: (key: typeof CREDENTIALS | typeof USED) => this.#values(numero).get(`${key.type} ${key.id}`),
      get: async (type, ids) => {
        const found = new Map<string, string>();
        for (const id of ids) {
          const value = this.#values(numero).get(`${type} ${id}`);
          if (value !== undefined) found.set(id, value);
        }
        return found;
      },
      write: async (changes: readonly Change[]) => {
        await this.#writable(numero);
        for (const { type, id, value } of changes) {
          if (value === undefined) this.#values(numero).delete(`${type} ${id}`);
          else this.#values(numero).set(`${type} ${id}`, value);
        }
      },
    };
  }

  async #writable(numero: string): Promise<void> {
    await this.#held;
    if (this.isBroken) throw new StoreError('write-keys', numero, 'ECONNRESET');
  }

  #mark(numero: string, leaving: boolean): void {
    this.#rows.set(numero, { numero, leaving, values: this.#rows.get(numero)?.values ?? new Map() });
  }

  #values(numero: string): Map<string, string> {
    return this.#rows.get(numero)?.values ?? new Map();
  }
}
