import { STATES } from '../../../src/wire.ts';
import type { Change, SessionEvent } from './transitions.ts';

/** After so many questions in a row without an answer, a session is shown as silent. */
const MISSES = 2;

interface Parts {
  /** Asks WhatsApp; resolves with whether it answered, or with undefined without a finding. */
  readonly ask: () => Promise<boolean | undefined>;
  /** Connects anew, where that may help. */
  readonly reconnect: () => void;
  /** Shows the session as it is. */
  readonly show: (event: SessionEvent) => void;
  /** Notes that WhatsApp answered, or that a login succeeded, which is shown next. */
  readonly heard: () => void;
  readonly connected: () => void;
}

/**
 * Whether a session that its engine has connected lives: WhatsApp answers for it. Connections exist that look open, but
 * on which nothing is sent or received.
 */
export class Liveness {
  readonly #parts: Parts;
  /** Identifies the connection; undefined while there is none. */
  #connection: object | undefined;
  #misses = 0;
  /** When WhatsApp was last heard or asked, in milliseconds since 1970. */
  #touched = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How long WhatsApp has neither been heard nor asked, in milliseconds; 0 without a connection. */
  get silence(): number {
    // A clock that was set back must not put probes off.
    return this.#connection ? Math.abs(Date.now() - this.#touched) : 0;
  }

  /**
   * Follows an event that changes the state. Returns whether to show it: a silent session that is connected anew may be
   * as silent as before, and is asked first.
   */
  takes(event: Change): boolean {
    const isOpen = event.type === 'ready' || (event.type === 'state' && event.state === STATES.connected);
    this.#connection = isOpen ? {} : undefined;
    if (!isOpen) return true;
    if (this.#misses >= MISSES) {
      // Without another new connection, which would be one after the other.
      void this.#ask();
      return false;
    }
    this.#touched = Date.now();
    this.#parts.connected();
    return true;
  }

  /** WhatsApp was heard. */
  hear(): void {
    const wasSilent = this.#misses >= MISSES;
    this.#misses = 0;
    this.#touched = Date.now();
    this.#parts.heard();
    if (wasSilent && this.#connection) this.#parts.show({ type: 'state', state: STATES.connected });
  }

  /** Asks WhatsApp, shows what follows, and connects a silent session anew. */
  async probe(): Promise<void> {
    if (await this.#ask()) this.#parts.reconnect();
  }

  /** Asks WhatsApp, and shows what follows. Returns whether the session is silent. */
  async #ask(): Promise<boolean> {
    const connection = this.#connection;
    if (!connection) return false;
    this.#touched = Date.now();
    const isAnswered = await this.#parts.ask();
    if (this.#connection !== connection || isAnswered === undefined) return false;
    if (isAnswered) {
      this.hear();
      return false;
    }
    this.#misses += 1;
    if (this.#misses < MISSES) return false;
    this.#parts.show({ type: 'silent' });
    return true;
  }

  /** Forgets everything: a new start, or the end. */
  reset(): void {
    this.#connection = undefined;
    this.#misses = 0;
  }
}
