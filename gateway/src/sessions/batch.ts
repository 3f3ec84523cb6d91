/** Writes that go together. */
export class Batch {
  end = () => {};
  /** Resolves when the batch is written or given up. */
  readonly done = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}
