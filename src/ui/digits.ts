/**
 * The groups in which a numero is shown: of 11 digits 34 694 197 531; of 12 and 13 57 315 592 5926, 521 555 000 1111. One
 * group where it is short, or no number.
 */
export function digitGroups(numero: string): readonly string[] {
  const groups = /^\d{8,}$/.test(numero) && numero.match(/^\d\d(?=(\d{3})+\d?$)|\d{3}(?=\d{3})|\d{3,4}$/g);
  return groups || [numero];
}
