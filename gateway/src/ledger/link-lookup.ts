/** Looks for links with one statement at a time, against guessed tokens: later requests go with the next statement. */
export class LinkLookup {
  readonly #read: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>;
  readonly #hashes = new Set<string>();
  #current: Promise<unknown> = Promise.resolve();
  #next: Promise<ReadonlyMap<string, string>> | undefined;

  /** @param read returns the numeros of the sessions with these links, by hash */
  constructor(read: (hashes: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
    this.#read = read;
  }

  /** Returns the numero of the session with this link. Rejects with the error of `read`. */
  async find(hash: string): Promise<string | undefined> {
    this.#hashes.add(hash);
    this.#next ??= this.#current.then(() => this.#begin());
    return (await this.#next).get(hash);
  }

  #begin(): Promise<ReadonlyMap<string, string>> {
    const hashes = [...this.#hashes];
    this.#hashes.clear();
    this.#next = undefined;
    const found = this.#read(hashes);
    this.#current = found.catch(() => {});
    return found;
  }
}
