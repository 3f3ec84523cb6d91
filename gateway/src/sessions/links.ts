import { createHash, randomBytes } from 'node:crypto';
import type { StoredLink } from '../ledger/archive.ts';

/** How long a link is valid, in milliseconds. */
const LIFETIME = 10 * 60_000;
/** 128 bits. */
const TOKEN_BYTES = 16;
/** 64 bits, in hexadecimal. */
const ID_LENGTH = 16;

/** A link as it is sent to a person. */
export interface SentLink {
  readonly id: string;
  readonly token: string;
  readonly expires: number;
}

/** Returns the stored form of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Returns the id of a link, which everybody may know: it leads back to neither the token nor its hash. */
export function linkId(hash: string): string {
  return tokenHash(hash).slice(0, ID_LENGTH);
}

/** Returns a new link, and its stored form. */
export function createLink(): { sent: SentLink; stored: StoredLink } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expires = Date.now() + LIFETIME;
  const hash = tokenHash(token);
  return { sent: { id: linkId(hash), token, expires }, stored: { hash, expires } };
}
