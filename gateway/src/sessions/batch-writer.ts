import { setTimeout as wait } from 'node:timers/promises';

interface Options {
  /** Least time from one batch to the next, in milliseconds. */
  readonly interval: number;
  /** Wait before items that could not be written are tried again, in milliseconds. */
  readonly retry: number;
  /** Most items that wait; then the oldest are dropped. */
  readonly most: number;
}

/** Writes items in batches, one at a time and in order, since each write waits for a disk or a database. */
export class BatchWriter<Item> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Item[]>;
  readonly #options: Options;
  #waiting: Item[] = [];
  /** Callers that wait for everything added before. They travel with the batches, so none is forgotten. */
  #flushes: (() => void)[] = [];
  #isWriting = false;
  #writing: Promise<void> | undefined;
  readonly #closing = new AbortController();

  /** @param write returns the items to try again; if it rejects, only these items are lost */
  constructor(write: (items: readonly Item[]) => Promise<readonly Item[]>, options: Options) {
    this.#write = write;
    this.#options = options;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > this.#options.most) this.#waiting.shift();
    if (!this.#isWriting) this.#writing = this.#writeAll();
  }

  /** Resolves once everything added so far is written or dropped, or the next attempt to write it has failed. */
  async flush(): Promise<void> {
    if (this.#isWriting) await new Promise<void>((resolve) => this.#flushes.push(resolve));
  }

  /** Writes what waits, once: what cannot be written is dropped. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { interval, retry, most } = this.#options;
    const { signal } = this.#closing;
    this.#isWriting = true;
    try {
      // Items of one turn form one batch.
      await Promise.resolve();
      while (this.#waiting.length > 0 || this.#flushes.length > 0) {
        const items = this.#waiting.splice(0);
        const flushes = this.#flushes.splice(0);
        const begun = performance.now();
        let failed: readonly Item[] = [];
        try {
          if (items.length > 0) failed = await this.#write(items);
        } finally {
          for (const flushed of flushes) flushed();
        }
        if (failed.length > 0 && !signal.aborted) this.#waiting = [...failed, ...this.#waiting].slice(-most);
        const rest = failed.length > 0 ? retry : interval - (performance.now() - begun);
        if (rest > 0) await wait(rest, undefined, { signal }).catch(() => {});
      }
    } finally {
      this.#isWriting = false;
      // After a rejection there may be more.
      if (this.#waiting.length > 0 || this.#flushes.length > 0) this.#writing = this.#writeAll();
    }
  }
}
