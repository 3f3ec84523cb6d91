/** Runs tasks that have the same key one after the other, in the order in which they came. */
export class WorkQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `task` when everything queued under `key` is over, whether it went well or not. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(task);
    const settled = result.then(
      () => {},
      () => {},
    );
    this.#last.set(key, settled);
    settled.then(() => {
      // Forget the key once nothing is queued behind, or the map would grow with every numero ever seen.
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    return result;
  }
}
