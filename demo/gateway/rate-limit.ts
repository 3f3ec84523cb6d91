/** How often something may be done: `burst` times at once, and then `perSecond` times a second. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Clients that are remembered; the one that was heard of longest ago is forgotten first. */
const MAX_CLIENTS = 10_000;

/** Counts what each client does. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #now: () => number;
  /** What each client has left, and since when, in milliseconds. Who is not here has everything left. */
  readonly #clients = new Map<string, { left: number; at: number }>();

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** How many seconds the client has to wait before it may do it; 0 when it may. */
  wait(client: string): number {
    const left = this.#left(client);
    return left >= 1 ? 0 : Math.ceil((1 - left) / this.#rate.perSecond);
  }

  /** Counts that the client does it once. */
  count(client: string): void {
    const left = Math.max(0, this.#left(client) - 1);
    this.#clients.delete(client);
    this.#clients.set(client, { left, at: this.#now() });
    const [oldest] = this.#clients.keys();
    if (oldest !== undefined && this.#clients.size > MAX_CLIENTS) this.#clients.delete(oldest);
  }

  #left(client: string): number {
    const known = this.#clients.get(client);
    if (!known) return this.#rate.burst;
    const seconds = (this.#now() - known.at) / 1_000;
    return Math.min(this.#rate.burst, known.left + seconds * this.#rate.perSecond);
  }
}
