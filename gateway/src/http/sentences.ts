import { DRAIN_LIMIT } from '../drain.ts';
import { RemoteError, type RemoteFailure } from '../engines/remote/errors.ts';
import { StoreError, storeFailure } from '../ledger/store-error.ts';
import { ProxyError, proxySentence } from '../proxy/failure.ts';
import type { DeliveryFailure } from '../sessions/engine.ts';
import {
  type FailedContact,
  SendFailure,
  type SessionRefusal,
  SessionRefused,
  StartRefused,
} from '../sessions/errors.ts';

/** Answers a failed call: a status, a sentence for the screen, and the seconds until a retry may succeed. */
type Answer = readonly [status: number, message: string, retryAfter?: number | undefined];

/** Returns the answer to a failure that the sessions and engines know; undefined for another error. */
export function answerTo(error: Error): Answer | undefined {
  if (error instanceof SessionRefused) return REFUSALS[error.reason](error.numero);
  if (error instanceof RemoteError) {
    const { failure, server, code } = error;
    return [failure === 'unreachable' ? 503 : 502, `${server} ${REMOTE_FAILURES[failure](code)}`];
  }
  if (error instanceof ProxyError) return [422, proxySentence(error)];
  if (error instanceof StartRefused) {
    const next = 'inténtalo en unos minutos y, si sigue igual, elimínala y agrégala de nuevo';
    return [503, `WhatsApp no deja levantar la sesión de ${error.numero}: ${next}.`];
  }
  if (error instanceof StoreError) {
    const retryAfter = error.isPassing ? MOMENT : undefined;
    return [error.isFull ? 507 : 503, storeFailureSentence(error), retryAfter];
  }
  if (error instanceof SendFailure) {
    const { failed } = error;
    const retryAfter = failed.every(({ reason }) => reason === 'moving') ? MOMENT : undefined;
    return [failureStatus(failed), failureSentence(failed), retryAfter];
  }
  return undefined;
}

/** Seconds until a call that fails while the database or a session's gateway changes may succeed. */
const MOMENT = 5;

const DELIVERY_FAILURES: Record<
  DeliveryFailure,
  [status: number, sentence: (names: string, count: number) => string]
> = {
  'no-whatsapp': [
    422,
    (names, count) =>
      count === 1 ? `El número ${names} no tiene WhatsApp.` : `Los números ${names} no tienen WhatsApp.`,
  ],
  'not-connected': [409, unsent('La sesión perdió la conexión')],
  'no-answer': [503, unsent('WhatsApp no responde')],
  'no-server': [503, unsent('El servidor que lleva la sesión no responde')],
  'too-many': [429, unsent('Hay demasiados mensajes en espera')],
  'store-full': [507, unsent('El servidor no tiene espacio para guardar')],
  'store-failed': [503, unsent('El servidor no puede leer o guardar sus datos')],
  moving: [503, unsent('La sesión está pasando a otro servidor', ' Inténtalo de nuevo en unos segundos.')],
  unconfirmed: [504, (names) => `WhatsApp no lo confirmó: puede que no llegue a ${names}.`],
  restricted: [
    409,
    (names) =>
      `La cuenta está restringida: puede responder, pero no iniciar chats nuevos. No se envió a ${names}.`,
  ],
  refused: [502, (names) => `WhatsApp rechazó el mensaje para ${names}.`],
};

function unsent(why: string, next = '') {
  return (names: string) => `${why}: no se envió a ${names}.${next}`;
}

/** Returns the status of the recipients' common reason, or 502 if there are several reasons. */
export function failureStatus(failed: readonly FailedContact[]): number {
  const [status = 502, ...others] = new Set(failed.map(({ reason }) => DELIVERY_FAILURES[reason][0]));
  return others.length === 0 ? status : 502;
}

/** Names the failed recipients with their reasons, for the screen. */
export function failureSentence(failed: readonly FailedContact[]): string {
  const byReason = new Map<DeliveryFailure, string[]>();
  for (const { contact, reason } of failed) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), contact]);
  }
  return [...byReason]
    .map(([reason, contacts]) => DELIVERY_FAILURES[reason][1](contacts.join(', '), contacts.length))
    .join(' ');
}

/** Returns a sentence for the screen: what failed, and what to do next. */
function storeFailureSentence(error: StoreError): string {
  const { isLoss, isPassing, code, numero } = error;
  // Trying again does not help.
  if (isLoss) {
    return `No se pueden leer las claves de ${numero} (${code}): elimina la sesión y agrégala de nuevo.`;
  }
  switch (storeFailure(error)) {
    case 'store-full':
      return `El servidor no tiene espacio para guardar (${code}): libera espacio e inténtalo de nuevo.`;
    case 'store-failed':
      return isPassing
        ? `La base de datos no responde (${code}): inténtalo de nuevo en unos segundos.`
        : `El servidor no puede leer o guardar sus datos (${code}): revisa el disco o la base de datos.`;
    case 'moving':
      return `La sesión de ${numero} está pasando a otro servidor: inténtalo de nuevo en unos segundos.`;
  }
}

const TELL = 'avisa a quien lo administra.';

/** What the server did, and what to do next. */
const REMOTE_FAILURES: Record<RemoteFailure, (code: string) => string> = {
  unreachable: () => 'no responde: inténtalo de nuevo en unos segundos.',
  key: () => `no acepta la clave del gateway: ${TELL}`,
  license: () => `no está activado: ${TELL}`,
  nonsense: () => `respondió algo que el gateway no entiende: ${TELL}`,
  failed: (code) => `falló (${code}): inténtalo de nuevo y, si sigue igual, ${TELL}`,
  single: (code) => `no aceptó la solicitud (${code}): ${TELL}`,
  refused: (code) => `no aceptó la solicitud (${code}): ${TELL}`,
};

const REFUSALS: Record<SessionRefusal, (numero: string) => Answer> = {
  unknown: (numero) => [404, `No hay ninguna sesión de ${numero}.`],
  'not-connected': (numero) => [409, `La sesión de ${numero} no está conectada.`],
  deleted: (numero) => [409, `La sesión de ${numero} se eliminó mientras se levantaba.`],
  draining: () => [
    503,
    'El servidor se está deteniendo: inténtalo de nuevo en unos segundos.',
    DRAIN_LIMIT / 1_000,
  ],
  moving: (numero) => [
    503,
    `La sesión de ${numero} está pasando a otro servidor: inténtalo de nuevo en unos segundos.`,
    3,
  ],
  'no-database': () => [
    503,
    'El servidor no llega a su base de datos: inténtalo de nuevo en unos segundos.',
    5,
  ],
  full: (numero) => [
    503,
    `Ningún servidor tiene capacidad para otra sesión: no se levantó la de ${numero}.`,
    60,
  ],
  'not-linked': (numero) => [409, `La sesión de ${numero} no está vinculada a ningún teléfono.`],
  connected: (numero) => [409, `La sesión de ${numero} ya está conectada: no hace falta ningún enlace.`],
  'not-pairable': (numero) => [
    409,
    `La sesión de ${numero} no espera ningún teléfono: levántala y vuelve a pedir el código.`,
  ],
  'no-passkey-step': (numero) => [
    409,
    `La sesión de ${numero} no espera ese paso de una llave de acceso: mira en el panel qué pide ahora.`,
  ],
  held: (numero) => [
    409,
    `Este servidor tiene ${numero} entre sus propias sesiones: aquí no se puede llevar también.`,
  ],
  'no-proxies': (numero) => [409, `El servidor que lleva la sesión de ${numero} no le puede poner un proxy.`],
  single: (numero) => [409, `El servidor solo admite la sesión «default»: no se puede agregar ${numero}.`],
  'no-pairing-code': (numero) => [
    502,
    `WhatsApp no dio un código para ${numero}: vuelve a pedirlo o usa el código QR.`,
  ],
};
