import type { Delay, Stop } from './engine.ts';

/*
 * Panels classify these texts by their form: three dots at the end say that the state passes by itself; otherwise a
 * colon says that the text explains itself, and that a person has to act.
 */

/** Returns the state of a session that waits for something nobody here can change. */
export function delayText(reason: Delay): string {
  switch (reason) {
    case 'unreachable':
      return 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...';
    case 'outdated':
      return 'CLIENTE DESACTUALIZADO: hay que actualizar el servidor';
  }
}

/** Returns the state of a session that ended for a reason, with what to do next where there is something. */
export function stopText(stop: Stop): string {
  switch (stop.reason) {
    case 'passkey':
      return 'LLAVE DE ACCESO: WhatsApp la pide para esta cuenta, y aquí no se puede dar';
    case 'restricted':
      return 'CUENTA RESTRINGIDA por WhatsApp: consulta en el teléfono';
    case 'replaced':
      return 'ABIERTA EN OTRO SITIO: levanta la sesión para usarla aquí';
    case 'other-number':
      return `NÚMERO DISTINTO: se escaneó con el teléfono ${stop.numero}`;
  }
}
