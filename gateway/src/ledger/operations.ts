import { setTimeout as wait } from 'node:timers/promises';
import { type DiskTask, StoreError } from './store-error.ts';

/** Longest time of all attempts, in milliseconds: longer than a restart of the database takes. */
const LIMIT = 10_000;
/** Wait before the next attempt, in milliseconds. */
const PAUSE = 200;

/** Codes of Node and PostgreSQL for a server that cannot be reached, a lost connection, and a server that restarts. */
const LOST = /^(?:E(?!RR_)[A-Z_]+|CONNECTION_LOST|08...|57P0.)$/;

/** Receives the duration of each operation, failed ones included. */
export type DiskObserver = (task: DiskTask, milliseconds: number) => void;

/**
 * Runs operations of the ledger; they fail with a {@link StoreError}. Each failure is logged once, until the same operation
 * has succeeded: a full disk fails with every message.
 */
export class Operations {
  readonly #print: (sentence: string) => void;
  readonly #observe: DiskObserver;
  readonly #logged = new Set<string>();

  constructor(print: (sentence: string) => void, observe: DiskObserver = () => {}) {
    this.#print = print;
    this.#observe = observe;
  }

  run<T>(task: DiskTask, numero: string, run: () => T): T {
    const start = performance.now();
    try {
      const result = run();
      this.#logged.delete(nameOf(task, numero));
      return result;
    } catch (error) {
      throw this.#failed(task, numero, error);
    } finally {
      this.#observe(task, performance.now() - start);
    }
  }

  /**
   * Like `run`, for an asynchronous and idempotent operation, which is repeated while the database is briefly
   * unavailable.
   */
  async later<T>(task: DiskTask, numero: string, run: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      const result = await repeated(run);
      this.#logged.delete(nameOf(task, numero));
      return result;
    } catch (error) {
      throw this.#failed(task, numero, error);
    } finally {
      this.#observe(task, performance.now() - start);
    }
  }

  /** Logs a failure. Returns the store's error for it. */
  #failed(task: DiskTask, numero: string, error: unknown): StoreError {
    // An error of an inner operation, which has logged it.
    if (error instanceof StoreError) return error;
    const failure = new StoreError(task, numero, reasonOf(error));
    const name = nameOf(task, numero);
    if (!this.#logged.has(name)) this.#print(failure.message);
    this.#logged.add(name);
    return failure;
  }
}

async function repeated<T>(task: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LIMIT;
  for (;;) {
    try {
      return await task();
    } catch (error) {
      if (!LOST.test(reasonOf(error)) || performance.now() > deadline) throw error;
      await wait(PAUSE);
    }
  }
}

function nameOf(task: DiskTask, numero: string): string {
  return `${task} ${numero}`;
}

/** Returns the error's code or name, never its message, which may quote keys. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/**
 * Returns the result; undefined if the store failed, which has been logged.
 *
 * @param isExpected which failures that holds for; others are thrown. Default all
 */
export function unlessStoreFails<T>(
  task: () => T,
  isExpected: (error: StoreError) => boolean = () => true,
): T | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof StoreError && isExpected(error)) return undefined;
    throw error;
  }
}
