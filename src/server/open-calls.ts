import { texts } from '../texts.ts';
import { RequestError } from './http.ts';

/** The HTTP calls that are waiting for their answer. They have no timeout of their own (spec §9). */
export class OpenCalls {
  /** When each of them began, in milliseconds by a clock that nobody sets. */
  readonly #begun = new Map<AbortController, number>();

  /**
   * Makes a call, which either its own signal or {@link abandon} aborts. Then it is over, whatever it waits for: the
   * token that a page's function promises may never come.
   */
  async make<Answer>(
    own: AbortSignal | null | undefined,
    call: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new RequestError(texts.aborted)));
    });
    // Not by AbortSignal.any: WebKit (WebKitGTK 2.50) forgets such a signal after some seconds, though a fetch has it.
    const abort = () => controller.abort(own?.reason);
    own?.addEventListener('abort', abort);
    if (own?.aborted) abort();
    this.#begun.set(controller, performance.now());
    try {
      return await Promise.race([aborted, call(signal)]);
    } finally {
      this.#begun.delete(controller);
      own?.removeEventListener('abort', abort);
    }
  }

  /** Aborts the calls that have been waiting for this many milliseconds or longer. */
  abandon(ms: number): void {
    const latest = performance.now() - ms;
    for (const [controller, begun] of this.#begun) if (begun <= latest) controller.abort();
  }
}
