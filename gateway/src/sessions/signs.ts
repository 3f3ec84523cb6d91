import type { WireDetails } from '../../../src/wire.ts';
import type { Limit, Sign } from './engine.ts';
import type { Listing } from './listing.ts';
import { restrictionOf } from './reasons.ts';

/** Panels are told of signs of life and of failures this often at most, in milliseconds. */
const TELLING = 60_000;
/** The longest timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

const NO_FAILURES: NonNullable<WireDetails['failures']> = { undecryptable: 0, unsent: 0 };

/** What is listed of a session beside its state and its names: when WhatsApp last answered, limits, and failures. */
export class Signs {
  readonly #listing: Pick<Listing, 'set' | 'detail'>;
  /** When panels were last told, by `performance.now()`. */
  #told = Number.NEGATIVE_INFINITY;
  /** In milliseconds since 1970. */
  #heardAt: number | undefined;
  #failures = NO_FAILURES;
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
      case 'undecryptable':
        this.#fail({ ...this.#failures, undecryptable: this.#failures.undecryptable + 1 });
        break;
      case 'exit':
        this.#listing.detail({ exit: sign.exit });
    }
  }

  /** Notes that WhatsApp answered. */
  heard(): void {
    this.#heardAt = Date.now();
    this.#tell();
  }

  /** Notes that WhatsApp answered a login, which is pushed right after this. */
  connected(): void {
    this.#heardAt = Date.now();
    this.#told = performance.now();
    this.#listing.set({ lastSignal: this.#heardAt });
  }

  /** Counts messages that were not sent. */
  unsent(count: number): void {
    this.#fail({ ...this.#failures, unsent: this.#failures.unsent + count });
  }

  /** Ends its timer. */
  close(): void {
    clearTimeout(this.#end);
  }

  #fail(failures: typeof NO_FAILURES): void {
    this.#failures = failures;
    this.#tell();
  }

  /** Tells panels, unless they were just told: what is left comes with the next sign of life. */
  #tell(): void {
    const now = performance.now();
    if (now - this.#told < TELLING) return;
    this.#told = now;
    const failures = this.#failures === NO_FAILURES ? undefined : this.#failures;
    this.#listing.detail({ lastSignal: this.#heardAt, failures });
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
