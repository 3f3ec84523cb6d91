/** How much the time of a call may differ from its arrival, in milliseconds. */
const WINDOW = 30_000;

/** Remembers the calls of the last minute, so that each is accepted once, and late ones are refused. */
export class HeardCalls {
  /** When each call arrived, oldest first. */
  readonly #heard = new Map<string, number>();
  /** The times of calls that were refused as too early: they stay refused. */
  readonly #early = new Map<string, number>();

  /**
   * Returns whether a call is repeated, too old or too early, or new and accepted.
   *
   * @param at when the call was made; by the same clock as `now`, in milliseconds
   */
  judge(id: string, at: number, now: number): 'repeated' | 'late' | 'new' {
    for (const [earlier, since] of this.#heard) {
      // An early call could be repeated until its time comes.
      if (now - since <= 2 * WINDOW) break;
      this.#heard.delete(earlier);
    }
    // There are few: a gateway makes only its first calls without knowing this one's clock.
    for (const [earlier, moment] of this.#early) if (now - moment > WINDOW) this.#early.delete(earlier);
    if (this.#heard.has(id) || this.#early.has(id)) return 'repeated';
    if (at - now > WINDOW) this.#early.set(id, at);
    if (Math.abs(now - at) > WINDOW) return 'late';
    this.#heard.set(id, now);
    return 'new';
  }
}
