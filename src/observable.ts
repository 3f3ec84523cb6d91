/** Functions to call when something has happened. */
export class Listeners<Args extends unknown[] = []> {
  readonly #all = new Set<(...args: Args) => void>();

  /** Returns the function that removes the listener. */
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

/** Listeners by key: a call costs the same however many keys there are. */
export class KeyedListeners {
  readonly #byKey = new Map<string, Listeners>();

  /** Returns the function that removes the listener. */
  add(key: string, listener: () => void): () => void {
    const listeners = this.#byKey.get(key) ?? new Listeners();
    this.#byKey.set(key, listeners);
    const remove = listeners.add(listener);
    return () => {
      remove();
      if (listeners.empty) this.#byKey.delete(key);
    };
  }

  call(key: string): void {
    this.#byKey.get(key)?.call();
  }
}

/** A value that changes as a whole, in the shape that React's `useSyncExternalStore` takes. */
export class Observable<Value> {
  readonly #listeners = new Listeners();
  #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  readonly get = (): Value => this.#value;

  /** Calls the listener after each change; returns the function that stops it. */
  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  set(value: Value): void {
    if (value === this.#value) return;
    this.#value = value;
    this.#listeners.call();
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }
}
