import { LONGEST_NAME, type WireNaming } from '../../../src/wire.ts';
import type { Profile } from '../store/archive.ts';

/**
 * Control characters, those that change the direction of what follows, and those that nobody sees: a name could be read
 * as another. Emoji need the invisible joiners, U+200C and U+200D.
 */
const FORBIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\p{Cs}/u;

/** Letters that are drawn as nothing do not count. */
const VISIBLE = /[^\s\p{Cf}\p{M}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Returns what is wrong with names, as a sentence for the screen; undefined if nothing is. */
export function namingProblem({ label, group }: WireNaming): string | undefined {
  if (label === undefined && group === undefined) return 'Falta el nombre o el grupo';
  return problemOf('El nombre', label) ?? problemOf('El grupo', group);
}

function problemOf(what: string, text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  const stored = normal(text);
  // Code points of what is stored: a letter of one form may be three of another.
  if ([...stored].length > LONGEST_NAME) return `${what} tiene más de ${LONGEST_NAME} caracteres`;
  if (FORBIDDEN.test(text) || (text.trim() !== '' && !VISIBLE.test(text)))
    return `${what} tiene caracteres que no se pueden mostrar`;
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
 * In one of the forms that a letter with an accent and a space can have. What else looks alike is one group to a panel,
 * and stays as it was written: 'Tienda 1ª' would be 'Tienda 1a'.
 */
function normal(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\s\u2800]+/g, ' ')
    .trim();
}
