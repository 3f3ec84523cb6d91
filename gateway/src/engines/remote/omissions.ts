import type { Logger } from 'pino';
import { MOST_SESSIONS } from './limits.ts';
import type { Omission } from './listing.ts';

/** The sessions of the server that are not listed here. */
export class Omissions {
  readonly #log: Logger;
  #omitted: ReadonlyMap<string, Omission> = new Map();

  /** @param log the operator log */
  constructor(log: Logger) {
    this.#log = log;
  }

  get(name: string): Omission | undefined {
    return this.#omitted.get(name);
  }

  note(omitted: ReadonlyMap<string, Omission>): void {
    for (const [session, omission] of omitted) {
      if (omission !== 'held' || this.#omitted.get(session) === omission) continue;
      this.#log.warn({ session }, 'Not listed: a phone of our own holds its numero.');
    }
    const surplus = surplusOf(omitted);
    if (surplus > 0 && surplus !== surplusOf(this.#omitted)) {
      this.#log.warn(
        { surplus },
        `Not listed: ${surplus} of the sessions of the server, which has more than ${MOST_SESSIONS}.`,
      );
    }
    this.#omitted = omitted;
  }
}

function surplusOf(omitted: ReadonlyMap<string, Omission>): number {
  return [...omitted.values()].filter((omission) => omission === 'surplus').length;
}
