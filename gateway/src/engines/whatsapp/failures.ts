import type { Logger } from 'pino';

/** Failures of a connection that WhatsApp does not close, and what the operator log says of them. */
export const FAILURES = {
  /** The connection goes on without one frame. */
  'skipped-frame': 'Skipped an unreadable frame of WhatsApp.',
  /** Nothing more can be read. */
  unreadable: 'Unreadable frame of WhatsApp; reconnecting.',
  /** The library threw an exception that nobody could catch. */
  'library-error': 'The client library failed on a connection; reconnecting.',
};

export interface ConnectionFailure {
  readonly kind: keyof typeof FAILURES;
  /** The library's. */
  readonly error?: unknown;
}

/**
 * What the sessions know together of WhatsApp. Logs outages: one line when WhatsApp becomes unreachable and one when it is
 * back, however many sessions there are.
 */
export class Connectivity {
  readonly #log: Logger;
  #lost = false;
  /** When a session has logged in last, by `performance.now()`; 0 if none has. */
  lastLogin = 0;
  /** The sessions whose last login failed. */
  readonly #failing = new Set<string>();

  constructor(log: Logger) {
    this.#log = log;
  }

  failed(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#log.warn('WhatsApp cannot be reached; the gateway keeps trying.');
  }

  /** Notes that WhatsApp has closed a login. Returns whether it closes those of no other session. */
  loginFailed(numero: string): boolean {
    this.#failing.add(numero);
    return this.#failing.size === 1;
  }

  /** Forgets a session that no longer tries to log in: it says nothing about WhatsApp any more. */
  forget(numero: string): void {
    this.#failing.delete(numero);
  }

  loggedIn(numero: string): void {
    this.#failing.delete(numero);
    this.lastLogin = performance.now();
    this.succeeded();
  }

  succeeded(): void {
    if (!this.#lost) return;
    this.#lost = false;
    this.#log.info('WhatsApp can be reached again.');
  }
}
