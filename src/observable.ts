/** Functions to call when something has happened. `add` gives the function that takes its listener away. */
export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>();

  add(listener: (...args: Args) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  get empty(): boolean {
    return this.#all.size === 0;
  }

  clear(): void {
    this.#all.clear();
  }

  call(...args: Args): void {
    for (const listener of this.#all) listener(...args);
  }
}

/** Listeners of many things, each by its key; of what nobody listens to, nothing is kept. */
export class KeyedListeners {
  readonly #byKey = new Map<string, Listeners>();

  add(key: string, listener: () => void): () => void {
    const listeners = this.#byKey.get(key) ?? new Listeners();
    this.#byKey.set(key, listeners);
    const stop = listeners.add(listener);
    return () => {
      stop();
      if (listeners.empty) this.#byKey.delete(key);
    };
  }

  call(key: string): void {
    this.#byKey.get(key)?.call();
  }
}
