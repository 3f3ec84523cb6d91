/** Counts failed attempts in a row, to calculate the wait before the next one. */
export class BackOff {
  readonly #steady: number;
  #failed = 0;
  #openSince = Number.POSITIVE_INFINITY;

  /** @param steady how long a connection must last to reset the count, in milliseconds */
  constructor(steady: number) {
    this.#steady = steady;
  }

  opened(): void {
    this.#openSince = Date.now();
  }

  /** Counts a failed attempt or a lost connection, and returns the wait before the next one; see {@link backOff}. */
  next(first: number, most: number): number {
    // A connection that opens and breaks at once is no better than one that does not open.
    if (Date.now() - this.#openSince >= this.#steady) this.#failed = 0;
    this.#openSince = Number.POSITIVE_INFINITY;
    return backOff(this.#failed++, first, most);
  }
}

/**
 * Returns the wait before the next attempt, in milliseconds: it doubles each time, less a random part of up to half,
 * so that sessions that were disconnected together do not reconnect together.
 *
 * @param attempt attempts that have failed in a row, from 0
 * @param first longest first wait, in milliseconds
 * @param most longest wait of all, in milliseconds
 */
export function backOff(attempt: number, first: number, most: number, random = Math.random): number {
  const longest = Math.min(most, first * 2 ** attempt);
  return longest * (0.5 + random() / 2);
}
