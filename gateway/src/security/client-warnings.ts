import type { Logger } from 'pino';

/** For how long one line represents all of its text, in milliseconds. */
const WINDOW = 60_000;

/**
 * Logs warnings that clients without a token, or WhatsApp, can cause as often as they like: one line for each text, and another at the
 * end of the window with the number of further ones, of whatever clients.
 */
export class ClientWarnings {
  readonly #log: Pick<Logger, 'warn'>;
  /** How many further ones there were, by their text. */
  readonly #more = new Map<string, number>();
  #end: NodeJS.Timeout | undefined;

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  /** @param log takes the line, if it is the first one of the window */
  warn(log: Pick<Logger, 'warn'>, text: string, fields: object): void {
    const more = this.#more.get(text);
    this.#more.set(text, more === undefined ? 0 : more + 1);
    if (more !== undefined) return;
    this.#end ??= setTimeout(() => this.flush(), WINDOW).unref();
    log.warn(fields, text);
  }

  /** Ends the window. */
  flush(): void {
    clearTimeout(this.#end);
    this.#end = undefined;
    for (const [text, more] of this.#more) if (more > 0) this.#log.warn({ more }, text);
    this.#more.clear();
  }
}
