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
  #waiting = 0;
  /** Whether the last message that had its turn got an answer. */
  #answered = true;

  /** @param open gives the line that messages can be sent on, if there is one */
  constructor(timings: Timings, open: () => Connection | undefined) {
    this.#timings = timings;
    this.#open = open;
  }

  /** Sends when its turn comes, and tells how it went in no more time than one message may take. */
  async send(to: string, text: string): Promise<Delivery> {
    const { send, pause } = this.#timings;
    // Its turn could not come in time, and it would keep those after it from theirs.
    if (this.#waiting * pause >= send) return 'too-many';
    const deadline = AbortSignal.timeout(send);
    this.#waiting += 1;
    const turn = this.#free.then(() => {
      this.#waiting -= 1;
      return deadline.aborted ? undefined : this.#open();
    });
    const sent = turn.then((connection) => {
      if (connection) return this.#deliver(connection, to, text, deadline);
      return deadline.aborted ? this.#late() : 'not-connected';
    });
    // The pause is owed to WhatsApp, by what was asked of it.
    this.#free = Promise.all([turn, sent]).then(
      ([connection]) => connection && wait(pause, undefined, { ref: false }),
    );
    const late = new Promise<Delivery>((resolve) => {
      deadline.addEventListener('abort', () => setImmediate(() => resolve(this.#late())), { once: true });
    });
    return Promise.race([sent, late]);
  }

  /** Why the turn of a message did not come in time. */
  #late(): Delivery {
    return this.#answered ? 'too-many' : 'no-answer';
  }

  async #deliver(connection: Connection, to: string, text: string, deadline: AbortSignal): Promise<Delivery> {
    const delivery = await deliver(connection, to, text, deadline);
    this.#answered = delivery !== 'no-answer' && delivery !== 'unconfirmed';
    return delivery;
  }
}
