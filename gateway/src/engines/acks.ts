import { LRUCache } from 'lru-cache';
import type { Ack } from '../sessions/engine.ts';

/** How long a message is followed, in milliseconds, and how many at a time. */
const LIFE = 24 * 60 * 60_000;
const MOST = 200;

/** From what may still change to what is known best: another device of the recipient may be behind the first. */
const ORDER: readonly Ack[] = ['failed', 'device', 'read'];

/** What becomes of the messages that a session has sent: the last ones, since this process started. */
export class Acks {
  // `max` would reserve the memory for all of them.
  readonly #messages = new LRUCache<string, AckedMessage>({
    ttl: LIFE,
    maxSize: MOST,
    sizeCalculation: () => 1,
  });

  /** Follows a message from before it is sent. */
  follow(id: string, message: AckedMessage): void {
    this.#messages.set(id, message);
  }

  /** Notes what WhatsApp says of a message; of those not followed, nothing. */
  note(id: string, ack: Ack): void {
    this.#messages.peek(id)?.note(ack);
  }
}

/** A message, and who is told what becomes of it. */
export class AckedMessage {
  readonly #tell: (ack: Ack) => void;
  #known: Ack | undefined;
  #isTelling = false;

  constructor(tell: (ack: Ack) => void) {
    this.#tell = tell;
  }

  note(ack: Ack): void {
    if (this.#known !== undefined && ORDER.indexOf(ack) <= ORDER.indexOf(this.#known)) return;
    this.#known = ack;
    if (this.#isTelling) this.#tell(ack);
  }

  /** Tells what is known, and what follows. */
  tell(): void {
    this.#isTelling = true;
    if (this.#known !== undefined) this.#tell(this.#known);
  }
}
