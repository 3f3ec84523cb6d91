import type { Limit, Sign } from './engine.ts';
import type { Listing } from './listing.ts';
import { restrictionOf } from './reasons.ts';

/** Panels are told of signs of life this often at most, in milliseconds. */
const TELLING = 60_000;
/** The longest timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** What is listed of a session beside its state and its names: when WhatsApp last answered, and limits. */
export class Signs {
  readonly #listing: Pick<Listing, 'set' | 'detail'>;
  /** When panels were last told, by `performance.now()`. */
  #told = Number.NEGATIVE_INFINITY;
  #end: NodeJS.Timeout | undefined;

  constructor(listing: Pick<Listing, 'set' | 'detail'>) {
    this.#listing = listing;
  }

  apply(sign: Sign): void {
    switch (sign.type) {
      case 'signal':
        this.heard();
        break;
      case 'limited':
        this.#limit(sign.limit);
        break;
      case 'quota':
        this.#listing.detail({ quota: sign.quota });
        break;
      case 'exit':
        this.#listing.detail({ exit: sign.exit });
    }
  }

  /** Notes that WhatsApp answered, and tells panels, unless they were just told. */
  heard(): void {
    const now = performance.now();
    if (now - this.#told < TELLING) return;
    this.#told = now;
    this.#listing.detail({ lastSignal: Date.now() });
  }

  /** Notes that WhatsApp answered a login, which is pushed right after this. */
  connected(): void {
    this.#told = performance.now();
    this.#listing.set({ lastSignal: Date.now() });
  }

  /** Ends its timer. */
  close(): void {
    clearTimeout(this.#end);
  }

  #limit(limit: Limit | undefined): void {
    clearTimeout(this.#end);
    const left = limit?.until === undefined ? Number.POSITIVE_INFINITY : limit.until - Date.now();
    const isOver = limit === undefined || left <= 0;
    this.#listing.detail({ restricted: isOver ? undefined : restrictionOf(limit) });
    if (isOver || limit.until === undefined) return;
    this.#end = setTimeout(() => this.#limit(limit), Math.min(left, LONGEST_TIMER)).unref();
  }
}
