/** Returns the digits of a numero, as WhatsApp addresses it. */
export function digitsOf(numero: string): string {
  return numero.replace(/\D/g, '');
}
