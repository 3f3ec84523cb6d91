import { GATEWAY_STATES } from '../../src/wire.ts';
import type { Delay, Stop } from './engine.ts';

/** What the card says of a session that waits for something that nobody here can change. */
export function delayText(reason: Delay): string {
  switch (reason) {
    case 'unreachable':
      return `${GATEWAY_STATES.unreachable}: se sigue intentando`;
    case 'outdated':
      return `${GATEWAY_STATES.outdated}: hay que actualizar el servidor`;
  }
}

/** What the card says of a session that ended for a reason; what to do next is in it where there is anything. */
export function stopText(stop: Stop): string {
  switch (stop.reason) {
    case 'passkey':
      return `${GATEWAY_STATES.passkey}: WhatsApp la pide para esta cuenta, y aquí no se puede dar`;
    case 'restricted':
      return `${GATEWAY_STATES.restricted} por WhatsApp: consulta en el teléfono`;
    case 'replaced':
      return `${GATEWAY_STATES.replaced}: levanta la sesión para usarla aquí`;
    case 'other-number':
      return `${GATEWAY_STATES.otherNumber}: se escaneó con el teléfono ${stop.numero}`;
  }
}
