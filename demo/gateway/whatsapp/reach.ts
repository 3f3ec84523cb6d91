/**
 * Tells whoever runs the gateway, once per outage and not once per session, that WhatsApp cannot be reached.
 */
export class Reach {
  readonly #print: (sentence: string) => void;
  #lost = false;

  constructor(print: (sentence: string) => void) {
    this.#print = print;
  }

  failed(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#print('WhatsApp cannot be reached; the gateway goes on trying.');
  }

  succeeded(): void {
    if (!this.#lost) return;
    this.#lost = false;
    this.#print('WhatsApp can be reached again.');
  }
}
