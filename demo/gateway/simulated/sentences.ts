import type { PhoneRefused } from './refusal.ts';

/** Returns what the drawer says when a simulated phone refuses an action. */
export function sentenceOf({ reason, numero }: PhoneRefused): string {
  switch (reason) {
    case 'unknown-phone':
      return `No hay ningún teléfono simulado con el número ${numero}`;
    case 'no-code':
      return `La sesión de ${numero} no tiene ningún código para escanear`;
    case 'expired-code':
      return `El código QR de ${numero} venció`;
    case 'foreign-code':
      return `El código QR no es de la sesión de ${numero}`;
    case 'already-linked':
      return `El teléfono ${numero} ya está vinculado`;
    case 'not-linked':
      return `El teléfono ${numero} no está vinculado`;
    case 'not-connected':
      return `La sesión de ${numero} no está conectada`;
    case 'no-line':
      return `El teléfono ${numero} no tiene línea`;
    case 'has-line':
      return `El teléfono ${numero} ya tiene línea`;
    case 'no-session':
      return `El teléfono ${numero} no tiene ninguna sesión levantada`;
    case 'closing':
      return `La sesión de ${numero} se está eliminando`;
  }
}
