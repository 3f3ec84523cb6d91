import * as texts from '../texts.ts';
import { RequestError } from './http.ts';

/** The HTTP calls that wait for an answer. Those of the contract have no timeout (spec §9). */
export class OpenCalls {
  /** When each call began, in milliseconds of `performance.now()`, which nobody can set back. */
  readonly #begun = new Map<AbortController, number>();

  /**
   * Makes a call that its own signal or {@link abandon} can abort, or the end of its time. Then the promise rejects,
   * whatever the call waits for: a page's token function may never answer.
   * @param timeout - in milliseconds; none by default
   */
  async make<Answer>(
    own: AbortSignal | null | undefined,
    call: (signal: AbortSignal) => Promise<Answer>,
    timeout?: number,
  ): Promise<Answer> {
    const controller = new AbortController();
    const { signal } = controller;
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new RequestError('aborted', why)));
    });
    let why = texts.aborted;
    const timer =
      timeout &&
      setTimeout(() => {
        why = texts.timedOut(timeout);
        controller.abort();
      }, timeout);
    // Not AbortSignal.any: WebKitGTK 2.50 drops such a signal after some seconds, though a fetch uses it.
    const abort = () => controller.abort(own?.reason);
    own?.addEventListener('abort', abort);
    if (own?.aborted) abort();
    this.#begun.set(controller, performance.now());
    try {
      return await Promise.race([aborted, call(signal)]);
    } finally {
      clearTimeout(timer);
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
