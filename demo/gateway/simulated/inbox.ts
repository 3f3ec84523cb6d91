/** How many messages a phone keeps. */
const KEPT = 50;

export interface PhoneMessage {
  text: string;
  /** The numero of the session that sent it. */
  from: string;
  /** When it arrived, in milliseconds since 1970. */
  at: number;
}

/** The last messages that a phone received. */
export class Inbox {
  readonly #messages: PhoneMessage[] = [];

  /** Oldest first. */
  get messages(): PhoneMessage[] {
    return [...this.#messages];
  }

  add(message: PhoneMessage): void {
    this.#messages.push(message);
    if (this.#messages.length > KEPT) this.#messages.shift();
  }
}
