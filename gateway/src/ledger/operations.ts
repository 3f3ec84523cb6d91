import { type DiskTask, StoreError, type StorePlace, WriteError } from '../sessions/errors.ts';

/** Returns the start of a log sentence; the reason follows. */
function failed(task: DiskTask, numero: string, place: StorePlace): string {
  switch (task) {
    case 'start':
      return `The start of ${numero} could not be written to the ${place}`;
    case 'delete':
      return `The deletion of ${numero} could not be written to the ${place}`;
    case 'erase':
      return `The keys of ${numero} could not be erased from the ${place}`;
    case 'empty-journal':
      return `The erased keys of ${numero} are still in the journal on the ${place}`;
    case 'read-credentials':
      return `The keys of ${numero} cannot be read`;
    case 'read-keys':
      return `Keys for the messages of ${numero} cannot be read`;
    case 'write-keys':
      return `The keys of ${numero} could not be written to the ${place}`;
    case 'read-archive':
      return `Names and history of ${numero} cannot be read`;
    case 'write-archive':
      return `Names and history of ${numero} could not be written to the ${place}`;
    case 'read-links':
      return 'The links cannot be read';
  }
}

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

  read<T>(task: DiskTask, numero: string, run: () => T): T {
    return this.#run(task, numero, run, StoreError);
  }

  /** Like `read`, but throws a {@link WriteError}. */
  write<T>(task: DiskTask, numero: string, run: () => T): T {
    return this.#run(task, numero, run, WriteError);
  }

  /** Like `read`, for an asynchronous operation. */
  readLater<T>(task: DiskTask, numero: string, run: () => Promise<T>): Promise<T> {
    return this.#runLater(task, numero, run, StoreError);
  }

  /** Like `write`, for an asynchronous operation. */
  writeLater<T>(task: DiskTask, numero: string, run: () => Promise<T>): Promise<T> {
    return this.#runLater(task, numero, run, WriteError);
  }

  #run<T>(task: DiskTask, numero: string, run: () => T, Failure: typeof StoreError): T {
    const start = performance.now();
    try {
      const result = run();
      this.#succeeded(task, numero);
      return result;
    } catch (error) {
      throw this.#failed(task, numero, error, Failure);
    } finally {
      this.#observe(task, performance.now() - start);
    }
  }

  async #runLater<T>(
    task: DiskTask,
    numero: string,
    run: () => Promise<T>,
    Failure: typeof StoreError,
  ): Promise<T> {
    const start = performance.now();
    try {
      const result = await run();
      this.#succeeded(task, numero);
      return result;
    } catch (error) {
      throw this.#failed(task, numero, error, Failure);
    } finally {
      this.#observe(task, performance.now() - start);
    }
  }

  #succeeded(task: DiskTask, numero: string): void {
    this.#logged.delete(failed(task, numero, this.#place));
  }

  /** Logs a failure. Returns the store's error for it. */
  #failed(task: DiskTask, numero: string, error: unknown, Failure: typeof StoreError): StoreError {
    // An error of an inner operation, which has logged it.
    if (error instanceof StoreError) return error;
    const beginning = failed(task, numero, this.#place);
    const reason = reasonOf(error);
    const failure = new Failure(`${beginning} (${reason}).`, task, numero, reason, this.#place);
    if (failure.isLoss) failure.message = `${beginning}: delete the session and link it again (${reason}).`;
    if (!this.#logged.has(beginning)) this.#print(failure.message);
    this.#logged.add(beginning);
    return failure;
  }
}

/** Returns the error's code or name, never its message, which may quote keys. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
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
