import type { Logger } from 'pino';
import { Cache } from './caches.ts';

/** Failures of a connection that WhatsApp does not close. */
export type ConnectionFailure =
  /** One frame could not be read; the connection goes on without it. */
  | { readonly kind: 'skipped-frame' }
  /** Nothing more can be read. */
  | { readonly kind: 'unreadable' }
  /** The library threw an exception that nobody could catch. */
  | { readonly kind: 'library-error'; readonly error: unknown };

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

  add(failure: ConnectionFailure): void {
    const logged = this.#logged.get(failure.kind);
    this.#logged.set(failure.kind, true);
    if (logged !== undefined) return;
    const error = failure.kind === 'library-error' ? { err: failure.error } : {};
    this.#log.warn({ numero: this.#numero, ...error }, sentenceOf(this.#numero, failure));
  }
}

function sentenceOf(numero: string, failure: ConnectionFailure): string {
  switch (failure.kind) {
    case 'skipped-frame':
      return `Skipped an unreadable frame on the connection of ${numero}.`;
    case 'unreadable':
      return `Unreadable frame on the connection of ${numero}; reconnecting.`;
    case 'library-error':
      return `The client library failed on the connection of ${numero}; reconnecting.`;
  }
}

/** Logs outages: one line when WhatsApp becomes unreachable and one when it is back, however many sessions there are. */
export class Connectivity {
  readonly #log: Logger;
  #lost = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  failed(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#log.warn('WhatsApp cannot be reached; the gateway keeps trying.');
  }

  succeeded(): void {
    if (!this.#lost) return;
    this.#lost = false;
    this.#log.info('WhatsApp can be reached again.');
  }
}
