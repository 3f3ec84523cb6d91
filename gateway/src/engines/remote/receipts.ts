import type { Ack } from '../../sessions/engine.ts';
import { AckedMessage, Acks } from '../acks.ts';
import type { Sent } from './server.ts';

/** The statuses of a session's messages, which its server may report before their ids. */
export class Receipts {
  readonly #acks = new Acks();
  readonly #early = new Map<string, Ack>();
  #sending = 0;

  /** Sends a message, and follows it: `acked` is called after the outcome. */
  async follow(send: () => Promise<Sent>, acked: (ack: Ack) => void): Promise<Sent> {
    this.#sending += 1;
    try {
      const sent = await send();
      if (typeof sent !== 'string' && sent.id !== undefined) this.#begin(sent.id, acked);
      return sent;
    } finally {
      this.#sending -= 1;
      if (this.#sending === 0) this.#early.clear();
    }
  }

  note(id: string, ack: Ack): void {
    if (this.#sending > 0) this.#early.set(id, ack);
    this.#acks.note(id, ack);
  }

  #begin(id: string, acked: (ack: Ack) => void): void {
    const message = new AckedMessage(acked);
    this.#acks.follow(id, message);
    const early = this.#early.get(id);
    if (early !== undefined) message.note(early);
    // After the outcome.
    setImmediate(() => message.tell());
  }
}
