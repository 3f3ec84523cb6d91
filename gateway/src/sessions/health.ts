import { STATES, type WireStability } from '../../../src/wire.ts';
import type { Engine, Limit } from './engine.ts';
import type { EngineObserver } from './engine-news.ts';
import type { Listing } from './listing.ts';
import { restrictionOf } from './reasons.ts';
import { type Change, isChange, type SessionEvent } from './session-event.ts';

/** After so many questions in a row without an answer, a session is shown as silent. */
const MISSES = 2;
/** Panels are told of signs of life this often at most, in milliseconds. */
const TELLING = 60_000;
/** The longest timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Parts {
  readonly numero: string;
  readonly engine: Engine;
  readonly listing: Listing;
  readonly observe: EngineObserver;
  /** Shows the session after an event. */
  readonly show: (event: SessionEvent) => void;
}

/**
 * How a session fares that its engine has connected: whether it lives, which means that WhatsApp answers for it, and what
 * it may do. Connections exist that look open, but on which nothing is sent or received.
 */
export class Health {
  readonly #parts: Parts;
  /** Which connection it is; undefined while there is none. */
  #connection: number | undefined;
  #connections = 0;
  #misses = 0;
  /** When WhatsApp was last heard or asked, by `performance.now()`. */
  #touched = 0;
  /** When panels were last told that it was heard, by `performance.now()`. */
  #told = Number.NEGATIVE_INFINITY;
  #limitEnd: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How long WhatsApp has neither been heard nor asked, in milliseconds; 0 while the session is not connected. */
  get silence(): number {
    return this.#connection === undefined ? 0 : performance.now() - this.#touched;
  }

  /** Takes an event of the engine. Returns whether it is to be shown as it is. */
  takes(event: SessionEvent): boolean {
    const { listing } = this.#parts;
    switch (event.type) {
      case 'signal':
        this.#hear();
        return false;
      case 'limited':
        this.#limit(event.limit);
        return false;
      case 'quota':
        listing.detail({ quota: event.quota });
        return false;
      case 'exit':
        listing.detail({ exit: event.exit });
        return false;
      default:
        return !isChange(event) || this.#follow(event);
    }
  }

  /** Asks WhatsApp for a sign of life, shows what follows, and connects a silent session anew. */
  async probe(): Promise<void> {
    const { numero, engine } = this.#parts;
    if (await this.#ask()) engine.reconnect?.(numero);
  }

  setStability(stability: WireStability | undefined): void {
    this.#parts.listing.detail({ stability });
  }

  /** Forgets the connection: there is a new start. */
  reset(): void {
    this.#connection = undefined;
    this.#misses = 0;
  }

  /** Ends its timers, and what is under way. */
  close(): void {
    this.reset();
    clearTimeout(this.#limitEnd);
  }

  /**
   * Follows a change. Returns whether to show it: a silent session that is connected anew may be as silent as before, and
   * is asked first.
   */
  #follow(event: Change): boolean {
    const isOpen = event.type === 'ready' || (event.type === 'state' && event.state === STATES.connected);
    this.#connections += 1;
    this.#connection = isOpen ? this.#connections : undefined;
    if (!isOpen) return true;
    if (this.#misses >= MISSES) {
      // Without another new connection, which would be one after the other.
      void this.#ask();
      return false;
    }
    this.#touched = performance.now();
    // The change is pushed right after this.
    this.#told = this.#touched;
    this.#parts.listing.set({ lastSignal: Date.now() });
    return true;
  }

  #limit(limit: Limit | undefined): void {
    clearTimeout(this.#limitEnd);
    const left = limit?.until === undefined ? Number.POSITIVE_INFINITY : limit.until - Date.now();
    const isOver = limit === undefined || left <= 0;
    this.#parts.listing.detail({ restricted: isOver ? undefined : restrictionOf(limit) });
    if (isOver || limit.until === undefined) return;
    this.#limitEnd = setTimeout(() => this.#limit(limit), Math.min(left, LONGEST_TIMER)).unref();
  }

  /** Asks WhatsApp, and shows what follows. Returns whether the session is silent. */
  async #ask(): Promise<boolean> {
    const connection = this.#connection;
    if (connection === undefined) return false;
    this.#touched = performance.now();
    const { numero, engine, observe, show } = this.#parts;
    const isAnswered = await engine.probe?.(numero);
    if (isAnswered !== undefined) observe(numero, { type: 'probe', isAnswered });
    if (this.#connection !== connection || isAnswered === undefined) return false;
    if (isAnswered) {
      this.#hear();
      return false;
    }
    this.#misses += 1;
    if (this.#misses < MISSES) return false;
    show({ type: 'silent' });
    return true;
  }

  #hear(): void {
    const wasSilent = this.#misses >= MISSES;
    this.#misses = 0;
    this.#touched = performance.now();
    if (this.#touched - this.#told >= TELLING) {
      this.#told = this.#touched;
      this.#parts.listing.detail({ lastSignal: Date.now() });
    }
    if (wasSilent && this.#connection !== undefined) {
      this.#parts.show({ type: 'state', state: STATES.connected });
    }
  }
}
