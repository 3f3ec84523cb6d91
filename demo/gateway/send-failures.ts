import type { DeliveryFailure } from './engine.ts';
import type { FailedContact } from './errors.ts';

const STATUSES: Record<DeliveryFailure, number> = {
  'no-whatsapp': 422,
  'not-connected': 409,
  'no-answer': 504,
  'too-many': 429,
  'disk-full': 507,
  'disk-failed': 503,
  unconfirmed: 504,
  refused: 502,
};

/** Returns the status of the recipients' common reason, or 502 if there are several reasons. */
export function failureStatus(failed: readonly FailedContact[]): number {
  const [status = 502, ...others] = new Set(failed.map(({ reason }) => STATUSES[reason]));
  return others.length === 0 ? status : 502;
}

/** Names the failed recipients with their reasons, for the screen. */
export function failureSentence(failed: readonly FailedContact[]): string {
  const byReason = new Map<DeliveryFailure, string[]>();
  for (const { contact, reason } of failed) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), contact]);
  }
  return [...byReason].map(([reason, contacts]) => sentence(reason, contacts)).join('. ');
}

function sentence(reason: DeliveryFailure, contacts: readonly string[]): string {
  const names = contacts.join(', ');
  switch (reason) {
    case 'no-whatsapp':
      return contacts.length === 1
        ? `El número ${names} no tiene WhatsApp`
        : `Los números ${names} no tienen WhatsApp`;
    case 'not-connected':
      return `La sesión ha perdido la conexión: no se ha enviado a ${names}`;
    case 'no-answer':
      return `WhatsApp no responde: no se ha enviado a ${names}`;
    case 'too-many':
      return `Hay demasiados mensajes en espera: no se ha enviado a ${names}`;
    case 'disk-full':
      return `No hay espacio en el disco del servidor: no se ha enviado a ${names}`;
    case 'disk-failed':
      return `El disco del servidor falla: no se ha enviado a ${names}`;
    case 'unconfirmed':
      return `WhatsApp no lo ha confirmado: puede que no llegue a ${names}`;
    case 'refused':
      return `WhatsApp ha rechazado el mensaje para ${names}`;
  }
}
