import type { EngineLedger } from '../../ledger/engine-ledger.ts';
import { CREDENTIALS } from '../../ledger/row.ts';
import { StoreError } from '../../ledger/store-error.ts';
import type { Report } from '../../sessions/engine.ts';
import { Mailbox } from '../../sessions/mailbox.ts';
import { LINKED } from './seeds.ts';

/** Whether the phone of a session is linked, as the ledger keeps it. */
export class StoredLink {
  readonly #numero: string;
  readonly #ledger: EngineLedger;
  readonly #writes = new Mailbox();
  /** Writes of the link under way; the session's reports wait for them. */
  #linking = 0;
  /** Whether the ledger has the link, or will have it. */
  #isLinked: boolean;
  #isReleased = false;

  /** Throws a `StoreError` if the link cannot be read. */
  constructor(numero: string, ledger: EngineLedger) {
    this.#numero = numero;
    this.#ledger = ledger;
    this.#isLinked = ledger.keys(numero).first(CREDENTIALS) !== undefined;
  }

  get isLinked(): boolean {
    return this.#isLinked;
  }

  /** Returns a report whose events wait until the ledger has the link, but not until it has erased one. */
  reporting(report: Report): Report {
    return (event) => {
      if (this.#linking === 0) return report(event);
      void this.#writes.run(async () => {
        if (!this.#isReleased) report(event);
      });
    };
  }

  /** Writes a change of the link. If that fails, the phone's next change tries again. */
  keep(isLinked: boolean): void {
    if (isLinked === this.#isLinked) return;
    this.#isLinked = isLinked;
    if (isLinked) this.#linking += 1;
    const write = () =>
      isLinked
        ? this.#ledger.keys(this.#numero).write([{ ...CREDENTIALS, value: LINKED }])
        : this.#ledger.erase(this.#numero);
    const written = this.#writes.run(write).finally(() => {
      if (isLinked) this.#linking -= 1;
    });
    void written.catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      if (this.#isLinked === isLinked) this.#isLinked = !isLinked;
    });
  }

  /** Erases the link. Rejects with a `StoreError`. */
  async erase(): Promise<void> {
    await this.#writes.run(() => this.#ledger.erase(this.#numero));
    this.#isLinked = false;
  }

  /** Resolves when no write is under way, and what waited for them is reported. */
  written(): Promise<void> {
    return this.#writes.run(async () => {});
  }

  /** Reports nothing more. Resolves when no write is under way. */
  release(): Promise<void> {
    this.#isReleased = true;
    return this.written();
  }
}
