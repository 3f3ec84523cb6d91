import type { WireStability } from '../../../src/wire.ts';
import type { Engine } from './engine.ts';
import type { Listing } from './listing.ts';
import { Liveness } from './liveness.ts';
import { Signs } from './signs.ts';
import { isChange, isSign, type SessionEvent } from './transitions.ts';

interface Parts {
  readonly numero: string;
  readonly engine: Engine;
  readonly listing: Listing;
  /** Shows the session after an event. */
  readonly show: (event: SessionEvent) => void;
}

/** How a session fares while it is connected, and how it has fared. */
export class Health {
  readonly #listing: Listing;
  readonly #signs: Signs;
  readonly #liveness: Liveness;

  constructor({ numero, engine, listing, show }: Parts) {
    this.#listing = listing;
    this.#signs = new Signs(listing);
    this.#liveness = new Liveness({
      ask: async () => engine.probe?.(numero),
      reconnect: () => engine.reconnect?.(numero),
      show,
      heard: () => this.#signs.heard(),
      connected: () => this.#signs.connected(),
    });
  }

  /** How long WhatsApp has neither been heard nor asked, in milliseconds; 0 while the session is not connected. */
  get silence(): number {
    return this.#liveness.silence;
  }

  /** Asks WhatsApp for a sign of life, and shows what follows. */
  probe(): Promise<void> {
    return this.#liveness.probe();
  }

  /** Takes an event of the engine. Returns whether it is to be shown as it is. */
  takes(event: SessionEvent): boolean {
    if (event.type === 'signal') this.#liveness.hear();
    else if (isSign(event)) this.#signs.apply(event);
    else return !isChange(event) || this.#liveness.takes(event);
    return false;
  }

  /** Counts messages that were not sent. */
  unsent(count: number): void {
    this.#signs.unsent(count);
  }

  setStability(stability: WireStability | undefined): void {
    this.#listing.detail({ stability });
  }

  /** Forgets the connection: there is a new start. */
  reset(): void {
    this.#liveness.reset();
  }

  /** Ends its timers, and what is under way. */
  close(): void {
    this.#liveness.reset();
    this.#signs.close();
  }
}
