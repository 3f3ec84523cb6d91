import type { RemoteError } from '../engines/remote/errors.ts';
import type { DeliveryFailure } from '../sessions/engine.ts';
import { type FailedContact, type StoreError, storeFailure } from '../sessions/errors.ts';

const STATUSES: Record<DeliveryFailure, number> = {
  'no-whatsapp': 422,
  'not-connected': 409,
  'no-answer': 503,
  'no-server': 503,
  'too-many': 429,
  'disk-full': 507,
  'disk-failed': 503,
  'database-full': 507,
  'database-failed': 503,
  moving: 503,
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
    case 'no-server':
      return `El servidor que lleva la sesión no responde: no se ha enviado a ${names}`;
    case 'too-many':
      return `Hay demasiados mensajes en espera: no se ha enviado a ${names}`;
    case 'disk-full':
      return `No hay espacio en el disco del servidor: no se ha enviado a ${names}`;
    case 'disk-failed':
      return `El disco del servidor falla: no se ha enviado a ${names}`;
    case 'database-full':
      return `No hay espacio en la base de datos: no se ha enviado a ${names}`;
    case 'database-failed':
      return `La base de datos falla: no se ha enviado a ${names}`;
    case 'moving':
      return `La sesión está pasando a otro servidor: no se ha enviado a ${names}. Inténtalo de nuevo en unos segundos`;
    case 'unconfirmed':
      return `WhatsApp no lo ha confirmado: puede que no llegue a ${names}`;
    case 'refused':
      return `WhatsApp ha rechazado el mensaje para ${names}`;
  }
}

/** Returns the status of a failed operation of the store: 507 for a full one, else 503. */
export function storeFailureStatus({ isFull }: StoreError): number {
  return isFull ? 507 : 503;
}

/** Returns a sentence for the screen: what failed, why, and what to do next. */
export function storeFailureSentence(error: StoreError): string {
  const { isLoss, code, numero } = error;
  // Trying again does not help.
  if (isLoss) {
    return `No se pueden leer las claves de ${numero} (${code}): elimina la sesión y agrégala de nuevo`;
  }
  switch (storeFailure(error)) {
    case 'disk-full':
      return `No hay espacio en el disco del servidor: ${failed(error)}. Libera espacio e inténtalo de nuevo`;
    case 'disk-failed':
      return `El disco del servidor falla (${code}): ${failed(error)}. Revísalo e inténtalo de nuevo`;
    case 'database-full':
      return `No hay espacio en la base de datos: ${failed(error)}. Libera espacio e inténtalo de nuevo`;
    case 'database-failed':
      return error.isPassing
        ? `La base de datos no responde (${code}): ${failed(error)}. Inténtalo de nuevo en unos segundos`
        : `La base de datos falla (${code}): ${failed(error)}. Revísala e inténtalo de nuevo`;
    case 'moving':
      return `La sesión de ${numero} está pasando a otro servidor: inténtalo de nuevo en unos segundos`;
  }
}

function failed({ task, numero }: StoreError): string {
  switch (task) {
    case 'start':
      return `no se ha podido guardar la sesión de ${numero}`;
    case 'delete':
      return `la sesión de ${numero} no se ha eliminado`;
    case 'erase':
      return `no se han podido borrar las claves de ${numero}`;
    case 'empty-journal':
      return `lo borrado de ${numero} todavía se puede leer en él`;
    case 'read-credentials':
    case 'read-keys':
      return `no se han podido leer las claves de ${numero}`;
    case 'write-keys':
      return `no se han podido guardar las claves de ${numero}`;
    case 'read-archive':
      return `no se han podido leer los datos de ${numero}`;
    case 'write-archive':
      return `no se han podido guardar los datos de ${numero}`;
    case 'read-links':
      return 'no se han podido leer los enlaces';
  }
}

/** Returns the status for a failure of the server that has the sessions. */
export function remoteStatus({ failure }: RemoteError): number {
  return failure === 'unreachable' ? 503 : 502;
}

/** Returns a sentence for the screen: what that server did, and what to do next. */
export function remoteSentence({ failure, server, code }: RemoteError): string {
  switch (failure) {
    case 'unreachable':
      return `${server} no responde: inténtalo de nuevo en unos segundos`;
    case 'key':
      return `${server} no acepta la clave del gateway: avisa a quien lo administra`;
    case 'license':
      return `${server} no está activado: avisa a quien lo administra`;
    case 'nonsense':
      return `${server} respondió algo que no se entiende: avisa a quien lo administra`;
    case 'failed':
      return `${server} falló (${code}): inténtalo de nuevo y, si sigue igual, avisa a quien lo administra`;
    case 'single':
    case 'refused':
      return `${server} no aceptó la solicitud (${code}): avisa a quien lo administra`;
  }
}
