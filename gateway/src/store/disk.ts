import { type DiskTask, StoreError } from '../sessions/errors.ts';

/** A failed write. */
export class WriteError extends StoreError {}

/** Returns the start of a log sentence; the reason follows. */
function failed(task: DiskTask, numero: string): string {
  switch (task) {
    case 'start':
      return `The start of ${numero} could not be written to the disk`;
    case 'delete':
      return `The deletion of ${numero} could not be written to the disk`;
    case 'erase':
      return `The keys of ${numero} could not be erased from the disk`;
    case 'empty-journal':
      return `The erased keys of ${numero} are still in the journal on the disk`;
    case 'read-credentials':
      return `The keys of ${numero} cannot be read`;
    case 'read-keys':
      return `Keys for the messages of ${numero} cannot be read`;
    case 'write-keys':
      return `The keys of ${numero} could not be written to the disk`;
  }
}

/** Receives the duration of each disk operation, failed ones included. */
export type DiskObserver = (task: DiskTask, milliseconds: number) => void;

/**
 * Runs disk operations; they throw a {@link StoreError} when they fail. Each failure is logged once, until the same
 * operation has succeeded: a full disk fails with every message.
 */
export class Disk {
  readonly #print: (sentence: string) => void;
  readonly #observe: DiskObserver;
  readonly #logged = new Set<string>();

  constructor(print: (sentence: string) => void, observe: DiskObserver = () => {}) {
    this.#print = print;
    this.#observe = observe;
  }

  read<T>(task: DiskTask, numero: string, run: () => T): T {
    return this.#run(task, numero, run, StoreError);
  }

  /** Like `read`, but throws a {@link WriteError}. */
  write(task: DiskTask, numero: string, run: () => unknown): void {
    this.#run(task, numero, run, WriteError);
  }

  #run<T>(task: DiskTask, numero: string, run: () => T, Failure: typeof StoreError): T {
    const beginning = failed(task, numero);
    const start = performance.now();
    try {
      const result = run();
      this.#logged.delete(beginning);
      return result;
    } catch (error) {
      const reason = reasonOf(error);
      const failure = new Failure(`${beginning} (${reason}).`, task, numero, reason);
      if (failure.isLoss) failure.message = `${beginning}: delete the session and link it again (${reason}).`;
      if (!this.#logged.has(beginning)) this.#print(failure.message);
      this.#logged.add(beginning);
      throw failure;
    } finally {
      this.#observe(task, performance.now() - start);
    }
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

/** Returns the result; undefined if the disk failed, which has been logged. */
export function unlessDiskFails<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
