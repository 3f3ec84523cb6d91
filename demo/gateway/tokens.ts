import { createHash, timingSafeEqual } from 'node:crypto';
import { RateLimit } from './rate-limit.ts';

/** Why a caller is not let in; `message` is a sentence for the screen. */
export interface Denial {
  status: 401 | 429;
  message: string;
  /** With 429: seconds to wait. */
  retryAfter?: number;
}

/** Says whether who brings this token may pass; undefined when so. */
export type TokenCheck = (token: unknown, client: string) => Denial | undefined;

/** Room for people who mistype. */
const WRONG_TOKENS = { burst: 20, perSecond: 1 / 30 };

const MISSING: Denial = { status: 401, message: 'Falta el token de acceso' };
const WRONG: Denial = { status: 401, message: 'El token de acceso no es correcto' };

/**
 * Compares what clients bring with the gateway's token, in constant time.
 *
 * The right token always passes: a limit before the comparison would let whoever brings wrong ones shut out everybody
 * at the same address, which behind a proxy can be everybody. So the limit keeps no guesser from the right token, which
 * its length does. It tells a client that goes on with a wrong token to wait, instead of 401 once more.
 *
 * @param token without one everybody may pass
 */
export function tokenCheck(token: string | undefined): TokenCheck {
  if (token === undefined) return () => undefined;
  const expected = digest(token);
  const wrong = new RateLimit(WRONG_TOKENS);

  return (given, client) => {
    if (typeof given !== 'string' || given === '') return MISSING;
    if (timingSafeEqual(digest(given), expected)) return undefined;
    const retryAfter = wrong.wait(client);
    if (retryAfter > 0) return { status: 429, message: tooManyWrong(retryAfter), retryAfter };
    wrong.count(client);
    return WRONG;
  };
}

/** The token in the header `Authorization`, if it brings one. */
export function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** Digests have one length, whatever the caller sends. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function tooManyWrong(seconds: number): string {
  return `Demasiados intentos con tokens que no son correctos: espera ${seconds} s`;
}
