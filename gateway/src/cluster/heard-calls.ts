/** How far the moment of a call may be from its arrival, in milliseconds. */
const WINDOW = 30_000;

/** Knows the calls of the last minute: each is taken once, and none that somebody has held back. */
export class HeardCalls {
  /** When each was heard, oldest first. */
  readonly #heard = new Map<string, number>();

  /** @param at when it was made; by the same clock as `now`, in milliseconds */
  isNew(id: string, at: number, now: number): boolean {
    for (const [earlier, since] of this.#heard) {
      // One that was ahead of its time could come again for as long.
      if (now - since <= 2 * WINDOW) break;
      this.#heard.delete(earlier);
    }
    if (Math.abs(now - at) > WINDOW || this.#heard.has(id)) return false;
    this.#heard.set(id, now);
    return true;
  }
}
