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
