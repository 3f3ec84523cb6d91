import { placeOf } from '../../log.ts';
import { Cache } from './caches.ts';

/** What can fail on a connection without WhatsApp closing it. */
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
  readonly #print: (sentence: string) => void;
  readonly #printed = new Cache(HOUR, 3);

  constructor(numero: string, print: (sentence: string) => void) {
    this.#numero = numero;
    this.#print = print;
  }

  add(failure: ConnectionFailure): void {
    const printed = this.#printed.get(failure.kind);
    this.#printed.set(failure.kind, true);
    if (printed === undefined) this.#print(sentenceOf(this.#numero, failure));
  }
}

function sentenceOf(numero: string, failure: ConnectionFailure): string {
  switch (failure.kind) {
    case 'skipped-frame':
      return `Skipped an unreadable frame on the connection of ${numero}.`;
    case 'unreadable':
      return `Unreadable frame on the connection of ${numero}; reconnecting.`;
    case 'library-error':
      return `The client library failed on the connection of ${numero}; reconnecting: ${placeOf(failure.error)}`;
  }
}

/** Logs outages: one line when WhatsApp becomes unreachable and one when it is back, however many sessions there are. */
export class Connectivity {
  readonly #print: (sentence: string) => void;
  #lost = false;

  constructor(print: (sentence: string) => void) {
    this.#print = print;
  }

  failed(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#print('WhatsApp cannot be reached; the gateway keeps trying.');
  }

  succeeded(): void {
    if (!this.#lost) return;
    this.#lost = false;
    this.#print('WhatsApp can be reached again.');
  }
}
