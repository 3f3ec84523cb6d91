/** Calls about a numero that may hang, and can then be aborted or sent again. */
export class RenewableCalls<Answer> {
  readonly #call: (numero: string, signal: AbortSignal) => Promise<Answer>;
  /** The request under way for each numero. */
  readonly #requests = new Map<string, AbortController>();

  constructor(call: (numero: string, signal: AbortSignal) => Promise<Answer>) {
    this.#call = call;
  }

  /** Makes the call, and sends it again each time it is renewed. */
  async run(numero: string): Promise<Answer> {
    try {
      for (;;) {
        const request = new AbortController();
        this.#requests.set(numero, request);
        try {
          return await this.#call(numero, request.signal);
        } catch (error) {
          if (request.signal.reason !== RENEWED) throw error;
        }
      }
    } finally {
      this.#requests.delete(numero);
    }
  }

  /** Sends the call again; returns false where none is under way. */
  renew(numero: string): boolean {
    const request = this.#requests.get(numero);
    request?.abort(RENEWED);
    return request !== undefined;
  }

  /** Aborts the call, if one is under way: it fails. */
  giveUp(numero: string): void {
    this.#requests.get(numero)?.abort();
  }
}

/** The reason of an abort after which the call is sent again. */
const RENEWED = Symbol('renewed');
