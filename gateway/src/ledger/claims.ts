import type { Claim, Driver } from './driver.ts';
import type { Operations } from './operations.ts';
import { type DiskTask, NotOwnerError } from './store-error.ts';

/** The claims of a process by numero, and their statements: one at a time for each claim, in the order of the calls. */
export class Claims extends Map<string, Claim> {
  readonly #driver: Driver;
  readonly #operations: Operations;
  readonly #lost: (numero: string) => void;
  #isOpen = true;

  constructor(driver: Driver, operations: Operations, lost: (numero: string) => void) {
    super();
    this.#driver = driver;
    this.#operations = operations;
    this.#lost = lost;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether this process may read and write now. */
  get isUsable(): boolean {
    return this.#isOpen && this.#driver.isUsable;
  }

  /**
   * Runs a statement that writes, again if its outcome is not known. Rejects with a `StoreError`, and drops a claim that
   * another process has.
   */
  write(claim: Claim, task: DiskTask, statement: () => Promise<boolean>): Promise<void> {
    return this.#inTurn(claim, task, async () => {
      if (await statement()) return;
      // It may have been deleted and created again meanwhile.
      if (this.get(claim.numero) === claim) {
        this.delete(claim.numero);
        this.#lost(claim.numero);
      }
      throw new NotOwnerError(task, claim.numero);
    });
  }

  /** Runs a statement that reads, again if it fails for a moment. Rejects with a `StoreError`. */
  read<T>(claim: Claim, task: DiskTask, statement: () => Promise<T>): Promise<T> {
    return this.#inTurn(claim, task, async () => {
      const result = await statement();
      this.#check(task, claim);
      return result;
    });
  }

  /** Takes no more statements. Resolves when those begun before are done. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await Promise.all([...this.values()].map(({ free }) => free));
    this.clear();
  }

  async #inTurn<T>(claim: Claim, task: DiskTask, run: () => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw new NotOwnerError(task, claim.numero);
    const done = claim.free.then(() =>
      this.#operations.later(task, claim.numero, async () => {
        this.#check(task, claim);
        return run();
      }),
    );
    claim.free = done.catch(() => {});
    return done;
  }

  /** Throws if this process may not write, or no longer owns the session. */
  #check(task: DiskTask, claim: Claim): void {
    const isOurs = this.#driver.isUsable && this.get(claim.numero) === claim;
    if (!isOurs) throw new NotOwnerError(task, claim.numero);
  }
}
