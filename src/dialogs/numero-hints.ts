/** What helps to type a numero right. It only advises: the length is the one rule that there is (spec §5). */
import { texts } from '../texts.ts';

/** How many characters a phone number has (spec §5, §9). */
export const MIN_LENGTH = 10;
export const MAX_LENGTH = 13;

/**
 * The digits of a number as people copy it: with spaces, signs, invisible marks and words around it, with `00` in
 * place of the +, or with the `(0)` that is only dialled at home. Undefined where no number is in it.
 */
export function digitsIn(copied: string): string | undefined {
  const runs = copied.split(/\p{L}+/u).map((run) => run.replace('(0)', '').replace(/\D/g, ''));
  const longest = runs.reduce((one, other) => (other.length > one.length ? other : one));
  const digits = longest.replace(/^00(?=\d{9})/, '');
  // Among words only a whole number is surely one.
  return digits.length < (runs.length > 1 ? MIN_LENGTH : 1) ? undefined : digits;
}

/** The one thing that is most worth saying about a numero, in view of those that are listed. */
export function hintOn(numero: string, listed: readonly string[]): string | undefined {
  if (numero.length < MIN_LENGTH) return undefined;
  if (listed.includes(numero)) return texts.hints.listed;
  const number = numberIn(numero);
  const same = number && listed.find((other) => numberIn(other) === number);
  if (same) return texts.hints.listedAs(same);
  // A name is meant as it is; what is typed with signs was cut by the limit, perhaps.
  if (/^\P{L}+$/u.test(numero) && /\D/.test(numero)) return texts.hints.signs;
  // No area of Mexico begins with 0 or 1, and none of Argentina with 9 (libphonenumber).
  if (/^52[2-9]\d{9}$/.test(numero)) return texts.hints.mexico;
  return /^54[^9]\d{9,10}$/.test(numero) ? texts.hints.argentina : undefined;
}

/** What a numero has in common with its other ways of writing: without signs, Mexico's 1 and Argentina's 9. */
function numberIn(numero: string): string {
  return numero.replace(/\D/g, '').replace(/^(52(?=1)|54(?=9)).(?=\d{10}$)/, '$1');
}
