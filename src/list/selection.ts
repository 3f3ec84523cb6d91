import { KeyedListeners, Listeners } from '../observable.ts';

/** The sessions that are ticked. A tick wakes its own card, and those who look at the whole. */
export class Selection {
  readonly #listeners = new Listeners();
  readonly #watchers = new KeyedListeners();
  #picked: ReadonlySet<string> = new Set();

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  /** The same set until another session is ticked, or one no longer. */
  readonly getSnapshot = (): ReadonlySet<string> => this.#picked;

  /** Calls the listener when this numero is ticked, or no longer. */
  watch(numero: string, listener: () => void): () => void {
    return this.#watchers.add(numero, listener);
  }

  toggle(numero: string): void {
    const picked = new Set(this.#picked);
    if (!picked.delete(numero)) picked.add(numero);
    this.#set(picked);
  }

  add(numeros: readonly string[]): void {
    this.#set(new Set([...this.#picked, ...numeros]));
  }

  clear(): void {
    this.#set(new Set());
  }

  /** Forgets those that are no longer listed. */
  keep(listed: readonly string[]): void {
    if (this.#picked.size > 0) this.#set(new Set(listed.filter((numero) => this.#picked.has(numero))));
  }

  #set(picked: ReadonlySet<string>): void {
    const before = this.#picked;
    const changed = [...before, ...picked].filter((numero) => before.has(numero) !== picked.has(numero));
    if (changed.length === 0) return;
    this.#picked = picked;
    for (const numero of changed) this.#watchers.call(numero);
    this.#listeners.call();
  }
}
