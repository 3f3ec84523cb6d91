import type { Logger } from 'pino';
import { Cache } from './caches.ts';

/** Failures of a connection that WhatsApp does not close, and what the operator log says of them. */
const SENTENCES = {
  /** The connection goes on without one frame. */
  'skipped-frame': (numero: string) => `Skipped an unreadable frame on the connection of ${numero}.`,
  /** Nothing more can be read. */
  unreadable: (numero: string) => `Unreadable frame on the connection of ${numero}; reconnecting.`,
  /** The library threw an exception that nobody could catch. */
  'library-error': (numero: string) =>
    `The client library failed on the connection of ${numero}; reconnecting.`,
};

export interface ConnectionFailure {
  readonly kind: keyof typeof SENTENCES;
  /** The library's. */
  readonly error?: unknown;
}

/** WhatsApp may cause the same failure on every attempt: it is logged again only after an hour without it. */
const HOUR = 60 * 60_000;

/** Operator log for the connection failures of one session: one sentence per kind. */
export class FailureLog {
  readonly #numero: string;
  readonly #log: Logger;
  readonly #logged = new Cache(HOUR, 3);

  constructor(numero: string, log: Logger) {
    this.#numero = numero;
    this.#log = log;
  }

  add({ kind, error }: ConnectionFailure): void {
    const logged = this.#logged.get(kind);
    this.#logged.set(kind, true);
    if (logged !== undefined) return;
    const details = { numero: this.#numero, ...(error !== undefined && { err: error }) };
    this.#log.warn(details, SENTENCES[kind](this.#numero));
  }
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
