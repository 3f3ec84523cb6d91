/** How far the moment of a call may be from its arrival, in milliseconds. */
const WINDOW = 30_000;

/** Remembers the calls of the last minute, so that each is taken once and late ones are refused. */
export class HeardCalls {
  /** When each was heard, oldest first. */
  readonly #heard = new Map<string, number>();
  /** The moments of those that were refused because they came before it: they stay refused. */
  readonly #early = new Map<string, number>();

  /**
   * Returns whether a call was heard before, is too old or too new to be taken, or is taken now.
   *
   * @param at when it was made; by the same clock as `now`, in milliseconds
   */
  judge(id: string, at: number, now: number): 'repeated' | 'late' | 'new' {
    for (const [earlier, since] of this.#heard) {
      // One that was ahead of its time could come again for as long.
      if (now - since <= 2 * WINDOW) break;
      this.#heard.delete(earlier);
    }
    // Few: each gateway has one at most until it knows this one's clock, and those that it makes meanwhile.
    for (const [earlier, moment] of this.#early) if (now - moment > WINDOW) this.#early.delete(earlier);
    if (this.#heard.has(id) || this.#early.has(id)) return 'repeated';
    if (at - now > WINDOW) this.#early.set(id, at);
    if (Math.abs(now - at) > WINDOW) return 'late';
    this.#heard.set(id, now);
    return 'new';
  }
}
