import type { Logger } from 'pino';
import { clientAddress } from './addresses.ts';

/** For how long one line represents all similar ones, in milliseconds. */
const WINDOW = 60_000;
/** How many clients get their own line in a window; later ones are counted together. */
const LINES = 1_000;
/** The address of those clients. */
const OTHERS = 'others';

/** The fields of a line besides its text. */
interface Fields {
  readonly status?: number;
  /** The user's name. */
  readonly by?: string;
  readonly [name: string]: unknown;
}

interface Repeated {
  readonly fields: Fields;
  readonly text: string;
  /** The number of further ones. */
  more: number;
}

/**
 * Logs warnings that clients without a token can cause as often as they like: one line for each client and kind of
 * warning, and another at the end of the window with the number of further ones. Neither the log nor the memory for the
 * window grows with the number of calls, or beyond a limit with the number of clients.
 */
export class ClientWarnings {
  readonly #log: Pick<Logger, 'warn'>;
  readonly #seen = new Map<string, Repeated>();
  #end: NodeJS.Timeout | undefined;

  /** @param log takes the lines at the ends of windows */
  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log;
  }

  /**
   * @param log takes the line, if it is the first one of the window
   * @param ip the client's address
   * @param fields warnings that differ in their `status`, or in `by`, are of different kinds
   */
  warn(log: Pick<Logger, 'warn'>, ip: string | undefined, text: string, fields: Fields = {}): void {
    const { status, by } = fields;
    const kind = { ...(status !== undefined && { status }), ...(by !== undefined && { by }) };
    const client = clientAddress(ip);
    const keyOf = (address: string) => JSON.stringify([address, text, kind]);
    const isKnown = this.#seen.has(keyOf(client)) || this.#seen.size < LINES;
    const address = isKnown ? client : OTHERS;
    const seen = this.#seen.get(keyOf(address));
    if (seen) {
      seen.more += 1;
      return;
    }
    this.#end ??= setTimeout(() => this.flush(), WINDOW).unref();
    this.#seen.set(keyOf(address), { fields: { ...kind, address }, text, more: 0 });
    log.warn({ ...fields, address }, text);
  }

  /** Ends the window. */
  flush(): void {
    clearTimeout(this.#end);
    this.#end = undefined;
    for (const { fields, text, more } of this.#seen.values()) {
      if (more > 0) this.#log.warn({ ...fields, more }, text);
    }
    this.#seen.clear();
  }
}
