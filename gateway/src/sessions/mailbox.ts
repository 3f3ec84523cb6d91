/** Runs tasks one after the other, in order. */
export class Mailbox {
  /** Undefined until the first task: most of thousands never get one. */
  #last: Promise<unknown> | undefined;
  #pending = 0;

  /** Whether no task runs or waits. */
  get isEmpty(): boolean {
    return this.#pending === 0;
  }

  /** Runs `task` when every earlier one has settled. */
  run<T>(task: () => Promise<T>): Promise<T> {
    this.#pending += 1;
    const result = (this.#last ?? Promise.resolve()).then(task).finally(() => {
      this.#pending -= 1;
    });
    this.#last = result.catch(() => {});
    return result;
  }
}
