import { LONGEST_NAME, type WireNaming } from '../../../src/wire.ts';
import type { Profile } from '../ledger/archive.ts';
import { parseProxy } from '../proxy/proxy.ts';

/**
 * Control characters, characters that change the direction of text, and invisible ones: they could make a name look
 * like another. Emoji need the invisible joiners, U+200C and U+200D.
 */
const FORBIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u;

/** Invisible letters do not count. */
const VISIBLE = /[^\s\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Returns the error of names and a proxy, as a sentence for the screen; undefined if they are valid. */
export function namingProblem({ label, group, proxy }: WireNaming): string | undefined {
  if (label === undefined && group === undefined && proxy === undefined)
    return 'Falta el nombre, el grupo o el proxy.';
  // What was typed may hold a password.
  if (proxy && !parseProxy(proxy))
    return 'El proxy debe ser una dirección http://…, https://… o socks5://…, como http://usuario:clave@proxy.example:8080.';
  return problemOf('El nombre', label) ?? problemOf('El grupo', group);
}

function problemOf(what: string, text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const stored = normal(text);
  // Counts the code points to be stored: a letter of one form may be three of another.
  if ([...stored].length > LONGEST_NAME) return `${what} tiene más de ${LONGEST_NAME} caracteres.`;
  if (FORBIDDEN.test(text) || (text.trim() !== '' && !VISIBLE.test(text)))
    return `${what} tiene caracteres que no se pueden mostrar.`;
  return undefined;
}

/** Returns a profile with other names. */
export function renamed(profile: Profile, { label, group }: WireNaming): Profile {
  return {
    ...profile,
    ...(label !== undefined && { label: normal(label ?? '') || undefined }),
    ...(group !== undefined && { group: normal(group ?? '') || undefined }),
  };
}

/**
 * Normalizes letters with accents, and spaces. Panels treat other lookalikes as one group, but they stay as written:
 * otherwise 'Tienda 1ª' would become 'Tienda 1a'.
 */
export function normal(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\u2800]+/g, ' ')
    .trim();
}
