/** Calls about a numero that may hang, and that can then be given up or made once more. */
export class RenewableCalls<Answer> {
  readonly #call: (numero: string, signal: AbortSignal) => Promise<Answer>;
  /** Of each numero the request under way. */
  readonly #requests = new Map<string, AbortController>();

  constructor(call: (numero: string, signal: AbortSignal) => Promise<Answer>) {
    this.#call = call;
  }

  /** Makes the call, and makes it again each time that it is renewed. */
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

  /** Aborts the request under way and makes the call once more; false where there is none. */
  renew(numero: string): boolean {
    const request = this.#requests.get(numero);
    request?.abort(RENEWED);
    return request !== undefined;
  }

  /** Aborts the request under way, if there is one: the call fails. */
  giveUp(numero: string): void {
    this.#requests.get(numero)?.abort();
  }
}

/** Why a request was aborted whose call goes on. */
const RENEWED = Symbol('renewed');
