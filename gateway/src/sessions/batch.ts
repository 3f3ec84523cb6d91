/** What is written in one go. */
export class Batch {
  end = () => {};
  /** Resolves when the batch is written or given up. */
  readonly done = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}
