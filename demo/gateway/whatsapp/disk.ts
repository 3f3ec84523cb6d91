import { type DiskTask, StoreError } from '../errors.ts';

/** Something that could not be written. */
export class WriteError extends StoreError {}

/** How each sentence begins that says what could not be done; the reason comes after it. */
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

/**
 * Does what needs the disk, or throws a {@link StoreError}. What fails is printed, and not again until it has
 * gone well: a full disk fails with every message.
 */
export class Disk {
  readonly #print: (sentence: string) => void;
  readonly #said = new Set<string>();

  constructor(print: (sentence: string) => void) {
    this.#print = print;
  }

  read<T>(task: DiskTask, numero: string, run: () => T): T {
    return this.#run(task, numero, run, StoreError);
  }

  /** As `read`; throws a {@link WriteError}. */
  write(task: DiskTask, numero: string, run: () => unknown): void {
    this.#run(task, numero, run, WriteError);
  }

  #run<T>(task: DiskTask, numero: string, run: () => T, Failure: typeof StoreError): T {
    const beginning = failed(task, numero);
    try {
      const result = run();
      this.#said.delete(beginning);
      return result;
    } catch (error) {
      const reason = reasonOf(error);
      const failure = new Failure(`${beginning} (${reason}).`, task, numero, reason);
      if (failure.isLoss) failure.message = `${beginning}: it must be deleted and linked again (${reason}).`;
      if (!this.#said.has(beginning)) this.#print(failure.message);
      this.#said.add(beginning);
      throw failure;
    }
  }
}

/** Never the message: what cannot be read is quoted there, and it is keys. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
}

/** The result, or undefined where it is lost for good. */
export function unlessLost<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof StoreError && error.isLoss) return undefined;
    throw error;
  }
}

/** The result, or undefined where the disk failed; then it has been said, and the work goes on without. */
export function unlessDiskFails<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch (error) {
    if (error instanceof StoreError) return undefined;
    throw error;
  }
}
