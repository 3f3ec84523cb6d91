/** How often something may be done: `burst` times at once, and then `perSecond` times a second. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Callers that are remembered; the one that was heard of longest ago is forgotten first. */
const MAX_CALLERS = 10_000;

/** Counts what each caller does. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  /** What each caller has left, and since when, in milliseconds. Who is not here has everything left. */
  readonly #callers = new Map<string, { left: number; at: number }>();

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** How many seconds the caller has to wait before it may do it; 0 when it may. */
  wait(caller: string): number {
    const left = this.#left(caller);
    return left >= 1 ? 0 : Math.ceil((1 - left) / this.#rate.perSecond);
  }

  /** Counts that the caller does it once. */
  count(caller: string): void {
    const left = Math.max(0, this.#left(caller) - 1);
    this.#callers.delete(caller);
    this.#callers.set(caller, { left, at: this.#now() });
    const [oldest] = this.#callers.keys();
    if (oldest !== undefined && this.#callers.size > MAX_CALLERS) this.#callers.delete(oldest);
  }

  #left(caller: string): number {
    const known = this.#callers.get(caller);
    if (!known) return this.#rate.burst;
    const seconds = (this.#now() - known.at) / 1_000;
    return Math.min(this.#rate.burst, known.left + seconds * this.#rate.perSecond);
  }
}
