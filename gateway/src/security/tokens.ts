import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Why a client is not admitted; `message` is a sentence for the screen. */
export interface Denial {
  status: 401 | 403 | 429;
  message: string;
  /** With 429: seconds to wait. */
  retryAfter?: number;
}

/** Checks a client's token; returns undefined if the client may pass. */
export type TokenCheck = (token: unknown, client: string) => Denial | undefined;

/** Wrong tokens of one client within `timeWindow` milliseconds; leaves room for typing errors. */
const WRONG_TOKENS = { max: 20, timeWindow: 10 * 60_000 };
/** How many clients are remembered. */
const CLIENTS = 10_000;

const MISSING: Denial = { status: 401, message: 'Falta el token de acceso' };

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
    return { status: 429, message: `${this.#tooMany}: espera ${retryAfter} s`, retryAfter };
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

/**
 * Returns a check of clients' tokens against the gateway's, in constant time.
 *
 * The right token always passes: if the limit came first, wrong tokens would lock out everybody at the same address,
 * which behind a proxy can be everybody. So the limit does not protect the token from guessing, which its length does.
 * It only answers persistent wrong tokens with 429 instead of 401.
 *
 * @param token undefined admits everybody
 */
export function tokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return () => undefined;
  const expected = digest(token);
  const wrong = new WrongTokens(
    'El token de acceso no es correcto',
    'Demasiados intentos con tokens que no son correctos',
  );

  return (given, client) => {
    if (typeof given !== 'string' || given === '') return MISSING;
    return timingSafeEqual(digest(given), expected) ? undefined : wrong.deny(client);
  };
}

/** Returns the bearer token of the header `Authorization`, if there is one. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** A digest has the same length for any token. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
