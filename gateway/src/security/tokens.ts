import { LRUCache } from 'lru-cache';

/** Why a client is not admitted; `message` is a sentence for the screen. */
export interface Denial {
  status: 401 | 403 | 429;
  message: string;
  /** With 429: seconds to wait. */
  retryAfter?: number;
}

/** Wrong tokens of one client within `timeWindow` milliseconds; leaves room for typing errors. */
const WRONG_TOKENS = { max: 20, timeWindow: 10 * 60_000 };
/** How many clients are remembered. */
const CLIENTS = 10_000;

/** Counts the wrong tokens of each client. */
export class WrongTokens {
  readonly #counts = new LRUCache<string, number>({ max: CLIENTS, ttl: WRONG_TOKENS.timeWindow });
  readonly #wrong: Denial;
  readonly #tooMany: string;

  /**
   * @param wrong the sentence about one wrong token
   * @param tooMany the sentence about too many of them, before the time to wait
   * @param status 403 if no operator's token helps
   */
  constructor(wrong: string, tooMany: string, status: 401 | 403 = 401) {
    this.#wrong = { status, message: wrong };
    this.#tooMany = tooMany;
  }

  /** Returns the refusal for a client with too many wrong tokens. */
  tooMany(client: string): Denial | undefined {
    if ((this.#counts.get(client) ?? 0) < WRONG_TOKENS.max) return undefined;
    const retryAfter = Math.ceil(this.#counts.getRemainingTTL(client) / 1_000);
    return { status: 429, message: `${this.#tooMany}: espera ${retryAfter} s.`, retryAfter };
  }

  /** Counts a wrong token, and returns the refusal for its client. */
  deny(client: string): Denial {
    const tooMany = this.tooMany(client);
    if (tooMany) return tooMany;
    const count = this.#counts.get(client) ?? 0;
    this.#counts.set(client, count + 1, count === 0 ? {} : { noUpdateTTL: true });
    return this.#wrong;
  }
}

/** Returns the bearer token of the header `Authorization`, if there is one. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
