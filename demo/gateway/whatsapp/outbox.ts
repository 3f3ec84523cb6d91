import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery } from '../engine.ts';
import type { Connection } from './connection.ts';
import { deliver } from './deliver.ts';
import type { Timings } from './timings.ts';

/** What one session sends: a message after the other, with a pause between them. */
export class Outbox {
  readonly #timings: Timings;
  readonly #open: () => Connection | undefined;
  #free: Promise<unknown> = Promise.resolve();

  /** @param open gives the line that messages can be sent on, if there is one */
  constructor(timings: Timings, open: () => Connection | undefined) {
    this.#timings = timings;
    this.#open = open;
  }

  /** Sends when its turn comes, and tells how it went in no more time than one message may take. */
  send(to: string, text: string): Promise<Delivery> {
    const deadline = AbortSignal.timeout(this.#timings.send);
    const sent = this.#free.then((): Delivery | Promise<Delivery> => {
      if (deadline.aborted) return 'no-answer';
      const connection = this.#open();
      return connection ? deliver(connection, to, text, deadline) : 'not-connected';
    });
    this.#free = sent.then(() => wait(this.#timings.pause, undefined, { ref: false }));
    // Its turn may not come in time, when the messages before it find no answer.
    const late = new Promise<Delivery>((resolve) => {
      deadline.addEventListener('abort', () => setImmediate(resolve, 'no-answer'), { once: true });
    });
    return Promise.race([sent, late]);
  }
}
