import { backOff } from './back-off.ts';

/** Counts the attempts that failed in a row, for the wait before the next one. */
export class Retries {
  readonly #steady: number;
  #failed = 0;
  #openSince = Number.POSITIVE_INFINITY;

  /** @param steady a line that held for this long was good, in milliseconds */
  constructor(steady: number) {
    this.#steady = steady;
  }

  opened(): void {
    this.#openSince = Date.now();
  }

  /** How long to wait before the next attempt, now that one has failed or a line was lost; as {@link backOff}. */
  next(first: number, most: number): number {
    // A line that opens and breaks at once, again and again, is no better than one that does not open.
    if (Date.now() - this.#openSince >= this.#steady) this.#failed = 0;
    this.#openSince = Number.POSITIVE_INFINITY;
    return backOff(this.#failed++, first, most);
  }
}
