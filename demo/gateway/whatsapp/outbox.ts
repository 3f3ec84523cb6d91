import { setTimeout as wait } from 'node:timers/promises';
import type { Delivery } from '../engine.ts';
import type { Connection } from './connection.ts';
import { deliver } from './deliver.ts';
import type { Timings } from './timings.ts';

/** Sends the messages of one session one after the other, with a pause between them. */
export class Outbox {
  readonly #timings: Timings;
  readonly #open: () => Connection | undefined;
  #free: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  /** Whether WhatsApp answered the last message that was sent. */
  #answered = true;

  /** @param open returns the open connection, if there is one */
  constructor(timings: Timings, open: () => Connection | undefined) {
    this.#timings = timings;
    this.#open = open;
  }

  /** Sends a text when its turn comes. Returns the outcome within `timings.send`. */
  async send(to: string, text: string): Promise<Delivery> {
    const { send, pause } = this.#timings;
    // Its turn could not come in time, and it would delay those behind it.
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
    // The pause is needed only after something was sent to WhatsApp.
    this.#free = Promise.all([turn, sent]).then(
      ([connection]) => connection && wait(pause, undefined, { ref: false }),
    );
    const late = new Promise<Delivery>((resolve) => {
      deadline.addEventListener('abort', () => setImmediate(() => resolve(this.#late())), { once: true });
    });
    return Promise.race([sent, late]);
  }

  /** Returns why a message did not get its turn in time. */
  #late(): Delivery {
    return this.#answered ? 'too-many' : 'no-answer';
  }

  async #deliver(connection: Connection, to: string, text: string, deadline: AbortSignal): Promise<Delivery> {
    const delivery = await deliver(connection, to, text, deadline);
    this.#answered = delivery !== 'no-answer' && delivery !== 'unconfirmed';
    return delivery;
  }
}
