/** Advice for typing a numero. Only its length is a rule. */
import * as texts from '../texts/sentences.ts';
import type { Translate } from '../texts/translate.ts';

/** The length of a numero in characters. */
export const MIN_LENGTH = 10;
export const MAX_LENGTH = 13;

/**
 * Returns the digits of a number as people copy it: with spaces, signs, invisible marks and words around it, with `00`
 * for the +, or with the `(0)` that is dialled only within the country. Undefined where there is no number.
 */
export function numberInText(copied: string): string | undefined {
  const runs = copied.split(/\p{L}+/u).map((run) => run.replace('(0)', '').replace(/\D/g, ''));
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one));
  const digits = longest.replace(/^00(?=\d{9})/, '');
  // Among words, only a number of full length surely is one.
  return digits.length < (runs.length > 1 ? MIN_LENGTH : 1) ? undefined : digits;
}

/** Returns the most useful hint on a numero, given those that are listed. */
export function hintOn(t: Translate, numero: string, listed: readonly string[]): string | undefined {
  if (numero.length < MIN_LENGTH) return undefined;
  if (listed.includes(numero)) return t(texts.listed);
  const number = numberIn(numero);
  const same = number && listed.find((other) => numberIn(other) === number);
  if (same) return t(texts.listedAs, same);
  // No area code of Mexico begins with 0 or 1, none of Argentina with 9 (libphonenumber).
  if (/^52[2-9]\d{9}$/.test(numero)) return t(texts.mexico);
  return /^54[^9]\d{9,10}$/.test(numero) ? t(texts.argentina) : undefined;
}

/** A numero without what may be left out: signs, Mexico's 1 and Argentina's 9. */
function numberIn(numero: string): string {
  return numero.replace(/\D/g, '').replace(/^(52(?=1)|54(?=9)).(?=\d{10}$)/, '$1');
}
