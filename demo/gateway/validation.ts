import type { WireMessage } from '../../src/wire.ts';

/** Digits of a phone number with its country code (E.164). */
const DIGITS = { min: 7, max: 15 };
/** Longest text that WhatsApp accepts, in characters. */
const MAX_TEXT = 65_536;
/** Most recipients of one message: a test message goes to one, and each more adds to the risk of a ban. */
const MAX_CONTACTS = 100;

/**
 * Returns what is wrong with the numero of a session to start, as a sentence for the screen; undefined if nothing is.
 */
export function numeroProblem(numero: string): string | undefined {
  const digits = numero.replace(/\D/g, '').length;
  const wellFormed = /^\+?[\d\s().-]+$/.test(numero);
  if (wellFormed && digits >= DIGITS.min && digits <= DIGITS.max) return undefined;
  return `El número '${numero}' no es válido: debe tener entre ${DIGITS.min} y ${DIGITS.max} dígitos`;
}

/** Returns what is wrong with a message, as a sentence for the screen; undefined if nothing is. */
export function contactsProblem({ cuerpo, contactos }: WireMessage['mensaje']): string | undefined {
  if (cuerpo.trim() === '') return 'El mensaje está vacío';
  if (cuerpo.length > MAX_TEXT) return `El mensaje tiene más de ${MAX_TEXT} caracteres`;
  if (contactos.length === 0) return 'El mensaje no tiene ningún número de destino';
  if (contactos.length > MAX_CONTACTS) return `El mensaje tiene más de ${MAX_CONTACTS} números de destino`;
  const wrong = contactos.find((contact) => !Number.isSafeInteger(contact) || contact <= 0);
  return wrong === undefined ? undefined : `El número de destino ${wrong} no es válido`;
}
