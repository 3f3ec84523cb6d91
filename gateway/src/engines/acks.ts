import { LRUCache } from 'lru-cache';
import type { Ack } from '../sessions/engine.ts';

/** How long a message is followed, in milliseconds, and how many at a time. */
const LIFE = 24 * 60 * 60_000;
const MOST = 200;

/** In order of progress: another device of the recipient may be behind the first. */
const ORDER: readonly Ack[] = ['failed', 'device', 'read'];

/** The status of the last messages that a session has sent, since this process started. */
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

  /** Records WhatsApp's report about a message; ignores messages that are not followed. */
  note(id: string, ack: Ack): void {
    this.#messages.peek(id)?.note(ack);
  }
}

/** A message, and who receives its status. */
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

  /** Reports the known status, and later ones. */
  tell(): void {
    this.#isTelling = true;
    if (this.#known !== undefined) this.#tell(this.#known);
  }
}
