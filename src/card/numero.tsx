/** Of 11 digits: 34 694 197 531. Of 12 and 13: 57 315 592 5926, 521 555 000 1111. */
const THREES = /\d{2,3}(?=(\d{3})*$)/g;
const THREES_AND_FOUR = /\d{2,3}(?=(\d{3})*\d{4}$)|\d{4}$/g;

/** Digits in groups that only the eye sees: what is copied, searched or read aloud is the plain number. */
export function Numero({ numero }: { numero: string }) {
  const groups = /^\d{8,}$/.test(numero) && numero.match(numero.length % 3 === 2 ? THREES : THREES_AND_FOUR);
  if (!groups) return numero;
  // biome-ignore lint/suspicious/noArrayIndexKey: groups have nothing but their place
  return groups.map((group, index) => <span key={index}>{group}</span>);
}
