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
export type TokenCheck = (token: unknown, caller: string) => Denial | undefined;

/** Room for people who mistype; whoever tries one after the other gets nowhere. */
const GUESSES = { burst: 20, perSecond: 1 / 30 };
/** Wrong tokens that are remembered; the oldest is forgotten first. */
const MAX_KNOWN = 10_000;

const MISSING: Denial = { status: 401, message: 'Falta el token de acceso' };
const WRONG: Denial = { status: 401, message: 'El token de acceso no es correcto' };

/**
 * Holds what callers bring against the gateway's token, in constant time.
 *
 * Each wrong token counts once, whoever brings it how often: hundreds of panels that still have an old one, behind
 * the one address of their office, guess nothing, and must not shut out those there that have the new one.
 *
 * @param token without one everybody may pass
 */
export function tokenCheck(token: string | undefined, guesses = new RateLimit(GUESSES)): TokenCheck {
  if (token === undefined) return () => undefined;
  const expected = digest(token);
  const known = new Set<string>();

  return (given, caller) => {
    if (typeof given !== 'string' || given === '') return MISSING;
    const found = digest(given);
    const name = found.toString('base64');
    if (known.has(name)) return WRONG;
    const retryAfter = guesses.wait(caller);
    if (retryAfter > 0) return { status: 429, message: tooManyGuesses(retryAfter), retryAfter };
    if (timingSafeEqual(found, expected)) return undefined;

    guesses.count(caller);
    known.add(name);
    const [oldest] = known;
    if (oldest !== undefined && known.size > MAX_KNOWN) known.delete(oldest);
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

function tooManyGuesses(seconds: number): string {
  return `Demasiados intentos con tokens que no son correctos: espera ${seconds} s`;
}
