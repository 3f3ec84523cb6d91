import { placeOf } from '../log.ts';
import { ExpiringCache } from './expiring-cache.ts';

/** What went wrong on a line that WhatsApp did not end. */
export type Fault =
  /** One frame could not be read, and the line goes on without it. */
  | { readonly kind: 'left-out' }
  /** After what came nothing more can be read. */
  | { readonly kind: 'broken' }
  /** The library threw an exception that nobody could catch. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** A fault that WhatsApp brings with each attempt is told once: again only after an hour without. */
const HOUR = 60 * 60_000;

/** Tells whoever runs the gateway of the faults of one session, in a sentence each. */
export class Faults {
  readonly #numero: string;
  readonly #print: (sentence: string) => void;
  readonly #told = new ExpiringCache(HOUR, 3);

  constructor(numero: string, print: (sentence: string) => void) {
    this.#numero = numero;
    this.#print = print;
  }

  tell(fault: Fault): void {
    const told = this.#told.get(fault.kind);
    this.#told.set(fault.kind, true);
    if (told === undefined) this.#print(sentenceOf(this.#numero, fault));
  }
}

function sentenceOf(numero: string, fault: Fault): string {
  switch (fault.kind) {
    case 'left-out':
      return `A frame on the line of ${numero} could not be read, and was left out.`;
    case 'broken':
      return `A frame on the line of ${numero} could not be read; the line is opened again.`;
    case 'failed':
      return `The client library failed on the line of ${numero}, which is opened again: ${placeOf(fault.error)}`;
  }
}
