/** Runs tasks with the same key one after the other, in order. */
export class WorkQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Whether no task with this key runs or waits. */
  isIdle(key: string): boolean {
    return !this.#last.has(key);
  }

  /** Runs `task` when every earlier task with this key has settled. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#last.set(key, settled);
    settled.then(() => {
      // Otherwise the map would grow with every key ever used.
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }
}
