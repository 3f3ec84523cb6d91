/** Milliseconds between two polls: random between these, so that many panels do not ask together. */
const SHORTEST_MS = 15_000;
const LONGEST_MS = 30_000;

/** Asks for the list at intervals. A hidden page waits until it is visible. */
export class ListPoll {
  readonly #ask: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When to ask next, in milliseconds since 1970; undefined while off. */
  #due: number | undefined;

  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Switches the poll on or off. It starts with a wait. */
  set(on: boolean): void {
    if (on === (this.#due !== undefined)) return;
    if (on) {
      this.#next();
      page?.addEventListener('visibilitychange', this.#wait);
    } else {
      clearTimeout(this.#timer);
      this.#due = undefined;
      page?.removeEventListener('visibilitychange', this.#wait);
    }
  }

  #next(): void {
    this.#due = Date.now() + SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS);
    this.#wait();
  }

  readonly #wait = (): void => {
    clearTimeout(this.#timer);
    if (this.#due === undefined || page?.hidden) return;
    this.#timer = setTimeout(
      () => {
        this.#next();
        this.#ask();
      },
      // A clock that was set back must not postpone it.
      Math.min(LONGEST_MS, Math.max(0, this.#due - Date.now())),
    );
  };
}

/** Undefined in Node. */
const page = typeof document === 'undefined' ? undefined : document;
