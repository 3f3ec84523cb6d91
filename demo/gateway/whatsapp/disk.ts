/** Something that the disk did not do, or a folder that cannot be used, in one sentence for whoever runs the gateway. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/** Something that could not be written. */
export class WriteError extends StoreError {}

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

  /** @param failed how the sentence begins that says that it could not be done */
  read<T>(failed: string, task: () => T): T {
    return this.#run(failed, task, StoreError);
  }

  /** As `read`; throws a {@link WriteError}. */
  write(failed: string, task: () => unknown): void {
    this.#run(failed, task, WriteError);
  }

  #run<T>(failed: string, task: () => T, Failure: typeof StoreError): T {
    try {
      const result = task();
      this.#said.delete(failed);
      return result;
    } catch (error) {
      const sentence = `${failed} (${reasonOf(error)}).`;
      if (!this.#said.has(failed)) this.#print(sentence);
      this.#said.add(failed);
      throw new Failure(sentence);
    }
  }
}

/** Never the message: what cannot be read is quoted there, and it is keys. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error ? String(error.code) : error.name;
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
