import { setTimeout as wait } from 'node:timers/promises';
import { type DiskTask, StoreError, type StorePlace, WriteError } from './store-error.ts';

/** Returns the start of a log sentence; the reason follows. */
function beginningOf(task: DiskTask, numero: string, place: StorePlace): string {
  const sentences: Readonly<Record<DiskTask, string>> = {
    start: `The start of ${numero} could not be written to the ${place}`,
    delete: `The deletion of ${numero} could not be written to the ${place}`,
    erase: `The keys of ${numero} could not be erased from the ${place}`,
    'read-credentials': `The keys of ${numero} cannot be read`,
    'read-keys': `Keys for the messages of ${numero} cannot be read`,
    'write-keys': `The keys of ${numero} could not be written to the ${place}`,
    'read-archive': `Names and history of ${numero} cannot be read`,
    'write-archive': `Names and history of ${numero} could not be written to the ${place}`,
    'read-links': 'The links cannot be read',
    'read-version': 'The last version of WhatsApp Web cannot be read',
    'write-version': `The version of WhatsApp Web could not be written to the ${place}`,
    'read-told': 'What was told of the numbers cannot be read',
    'write-told': `What is told of the numbers could not be written to the ${place}`,
  };
  return sentences[task];
}

/** Longest time of all attempts, in milliseconds: longer than a restart of the database takes. */
const LIMIT = 10_000;
/** Wait before the next attempt, in milliseconds. */
const PAUSE = 200;

/** Codes of Node and PostgreSQL for a server that cannot be reached, a lost connection, and a server that restarts. */
const LOST = /^(?:E[A-Z_]+|CONNECTION_LOST|08...|57P0.)$/;

/** Receives the duration of each operation, failed ones included. */
export type DiskObserver = (task: DiskTask, milliseconds: number) => void;

/**
 * Runs operations of the ledger; they fail with a {@link StoreError}. Each failure is logged once, until the same operation
 * has succeeded: a full disk fails with every message.
 */
export class Operations {
  readonly #print: (sentence: string) => void;
  readonly #observe: DiskObserver;
  readonly #place: StorePlace;
  readonly #logged = new Set<string>();

  constructor(
    print: (sentence: string) => void,
    observe: DiskObserver = () => {},
    place: StorePlace = 'disk',
  ) {
    this.#print = print;
    this.#observe = observe;
    this.#place = place;
  }

  /** Runs an operation. Throws a {@link WriteError} if it writes. */
  run<T>(task: DiskTask, numero: string, run: () => T): T {
    const start = performance.now();
    try {
      const result = run();
      this.#logged.delete(nameOf(task, numero));
      return result;
    } catch (error) {
      throw this.failed(task, numero, error);
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
      throw this.failed(task, numero, error);
    } finally {
      this.#observe(task, performance.now() - start);
    }
  }

  /** Logs a failure. Returns the store's error for it. */
  failed(task: DiskTask, numero: string, error: unknown): StoreError {
    // An error of an inner operation, which has logged it.
    if (error instanceof StoreError) return error;
    const beginning = beginningOf(task, numero, this.#place);
    const reason = reasonOf(error);
    const Failure = task.startsWith('read-') ? StoreError : WriteError;
    const failure = new Failure(`${beginning} (${reason}).`, task, numero, reason, this.#place);
    if (failure.isLoss) failure.message = `${beginning}: delete the session and link it again (${reason}).`;
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

/** Returns the result; undefined if the credentials are lost for good. */
export function unlessLost<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof StoreError && error.isLoss) return undefined;
    throw error;
  }
}

/** Returns the result; undefined if the store failed, which has been logged. */
export function unlessStoreFails<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
