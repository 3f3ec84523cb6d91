import type { EngineLedger, VersionStore } from '../../../src/ledger/engine-ledger.ts';
import type { Change, ConfirmedVersion, SessionKeys } from '../../../src/ledger/row.ts';
import type { ProxyServer } from '../../../src/proxy/proxy.ts';

/** A write that waits for the test. */
interface HeldWrite {
  readonly numero: string;
  readonly changes: readonly Change[];
  /** Lets it go on. */
  go(): void;
  fail(error: Error): void;
}

/** A store whose writes of keys the test can hold up, as those to a distant database are. */
export class HeldStore implements EngineLedger, VersionStore {
  readonly #store: EngineLedger & VersionStore;
  #holds: (numero: string, changes: readonly Change[]) => boolean;
  /** The writes that wait, the oldest first. */
  readonly held: HeldWrite[] = [];
  /** Erases the keys of a session. */
  erasure = (numero: string): Promise<void> => this.#store.erase(numero);
  /** The proxy of every session; undefined for the stored ones. */
  ownProxy: ProxyServer | undefined;
  /** Answers whether this process may log in. */
  mayLogIn: (numero: string) => Promise<boolean> = async () => true;

  constructor(
    store: EngineLedger & VersionStore,
    holds: (numero: string, changes: readonly Change[]) => boolean,
  ) {
    this.#store = store;
    this.#holds = holds;
  }

  get isOpen(): boolean {
    return this.#store.isOpen;
  }

  sessions() {
    return this.#store.sessions();
  }

  has(numero: string): boolean {
    return this.#store.has(numero);
  }

  proxy(numero: string) {
    return this.ownProxy ?? this.#store.proxy(numero);
  }

  add(numero: string): Promise<void> {
    return this.#store.add(numero);
  }

  keys(numero: string): SessionKeys {
    const keys = this.#store.keys(numero);
    return {
      first: (key) => keys.first(key),
      get: (type, ids) => keys.get(type, ids),
      write: async (changes) => {
        if (this.#holds(numero, changes)) await this.#hold(numero, changes);
        await keys.write(changes);
      },
    };
  }

  version() {
    return this.#store.version();
  }

  keepVersion(version: ConfirmedVersion): Promise<void> {
    return this.#store.keepVersion(version);
  }

  leave(numero: string): Promise<void> {
    return this.#store.leave(numero);
  }

  erase(numero: string): Promise<void> {
    return this.erasure(numero);
  }

  remove(numero: string): Promise<void> {
    return this.#store.remove(numero);
  }

  confirm(numero: string): Promise<boolean> {
    return this.mayLogIn(numero);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** Lets all writes go on, from now on too. */
  letGo(): void {
    this.#holds = () => false;
    for (const { go } of this.held) go();
  }

  async #hold(numero: string, changes: readonly Change[]): Promise<void> {
    await new Promise<void>((go, fail) => this.held.push({ numero, changes, go, fail }));
    this.held.shift();
  }
}
