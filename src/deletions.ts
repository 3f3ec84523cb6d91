/** The deletions that a server has been asked for and has not answered. */
export class Deletions {
  readonly #ask: (numero: string, signal: AbortSignal) => Promise<void>;
  /** Of each numero the request under way: aborted to ask anew. */
  readonly #requests = new Map<string, AbortController>();

  constructor(ask: (numero: string, signal: AbortSignal) => Promise<void>) {
    this.#ask = ask;
  }

  /** Asks the server until it has answered: a request that {@link again} aborts is sent anew. */
  async run(numero: string): Promise<void> {
    try {
      for (;;) {
        const request = new AbortController();
        this.#requests.set(numero, request);
        try {
          return await this.#ask(numero, request.signal);
        } catch (error) {
          if (!request.signal.aborted) throw error;
        }
      }
    } finally {
      this.#requests.delete(numero);
    }
  }

  /** Asks once more; false where there is no deletion under way. */
  again(numero: string): boolean {
    const request = this.#requests.get(numero);
    request?.abort();
    return request !== undefined;
  }
}
