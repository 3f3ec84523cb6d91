import { sameNumero } from '../../numbers.ts';
import type { ListedSession } from './server.ts';

/** A name that is a phone number with its country code. */
const NUMERO = /^\d{10,13}$/;

/**
 * Returns the numero under which a session is listed here; undefined if it is unknown.
 *
 * @param before its numero until now: an unlinked session no longer reports it
 */
export function numeroOf({ name, account, noted = '' }: ListedSession, before?: string): string | undefined {
  if (NUMERO.test(name)) return name;
  return account.digits ?? before ?? (NUMERO.test(noted) ? noted : undefined);
}

/**
 * Whether a session belongs to a numero.
 *
 * @param before the numero that it had until now, if it is listed here
 */
export function isOf(session: ListedSession, numero: string, before?: string): boolean {
  const theirs = numeroOf(session, before);
  return theirs !== undefined && sameNumero(theirs, numero);
}

/** Returns the digits of WhatsApp's address of an account, such as `521…@c.us` or `521…:7@s.whatsapp.net`. */
export function digitsOf(address: string | null | undefined): string | undefined {
  return /^(\d{7,15})(?::\d+)?@(?:c\.us|s\.whatsapp\.net)$/.exec(address ?? '')?.[1];
}
