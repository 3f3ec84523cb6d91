import type { WireReason, WireRestriction } from '../../../src/wire.ts';
import { proxySentence } from '../proxy/failure.ts';
import type { Limit, PasskeyStep } from './engine.ts';
import type { SessionEvent } from './session-event.ts';

/** Returns why a session is not connected after an event; undefined if it is, or is about to be (docs/reasons.md). */
export function reasonAfter(event: SessionEvent): WireReason | undefined {
  switch (event.type) {
    case 'disconnected':
      return event.reason && { code: event.reason, text: ENDS[event.reason] };
    case 'qr_timeout':
      return event.reason
        ? {
            code: event.reason,
            text: 'Nadie vinculó un teléfono, quizá porque WhatsApp ya no acepta la versión del servidor: pide a quien lo administra que lo actualice',
          }
        : { code: 'not-scanned', text: 'Nadie escaneó el código a tiempo' };
    case 'state':
      // The panel explains WhatsApp's own words, except those that the engine uses itself.
      return event.state === 'OPENING'
        ? { code: 'connection-lost', text: ENDS['connection-lost'] }
        : undefined;
    case 'delayed':
      switch (event.reason) {
        case 'unreachable':
          return {
            code: event.reason,
            text: 'El servidor no llega a WhatsApp: revisa su conexión a internet',
          };
        case 'proxy':
          return { code: event.reason, text: `${proxySentence(event)}: la sesión no sale sin él` };
        case 'no-server':
          return { code: event.reason, text: 'El servidor que lleva la sesión no responde' };
        case 'relinking':
          return {
            code: event.reason,
            text: 'WhatsApp rechazó las claves: el teléfono ya no está vinculado',
          };
        case 'outdated':
          return {
            code: event.reason,
            text: 'WhatsApp ya no acepta la versión del servidor: pide a quien lo administra que lo actualice',
          };
        case 'dead-keys':
          return {
            code: event.reason,
            text: 'WhatsApp rechaza las claves una y otra vez: levanta la sesión y vincula el teléfono de nuevo',
          };
        case 'banned':
          return { code: event.reason, text: 'WhatsApp pidió esperar', until: event.until };
      }
      break;
    case 'passkey':
      // Not the code to compare: reasons are in the history, which has no codes.
      return PASSKEY_REASONS[event.passkey.step];
    case 'silent':
      return {
        code: event.type,
        text: 'WhatsApp dejó de responder: abre WhatsApp en el teléfono y, si sigue así, levanta la sesión',
      };
    case 'stopped':
      switch (event.reason) {
        case 'passkey':
          return { code: event.reason, text: 'La cuenta pide una llave de acceso, que aquí no se puede dar' };
        case 'restricted':
          return { code: event.reason, text: 'WhatsApp restringió la cuenta: mira el aviso en el teléfono' };
        case 'replaced':
          return { code: event.reason, text: 'Otra computadora usa esta sesión' };
        case 'other-number':
          return {
            code: event.reason,
            text: `Se vinculó el teléfono ${event.numero}, que es de otro número`,
          };
      }
  }
  return undefined;
}

/** Why a session could not be started. */
export const NOT_STARTED: WireReason = { code: 'start-failed', text: 'No se pudo levantar' };

const PASSKEY_REASONS: Record<PasskeyStep['step'], WireReason | undefined> = {
  sign: {
    code: 'passkey',
    text: 'La cuenta pide una llave de acceso: envía un enlace a quien tiene el teléfono, para abrirlo en una computadora',
  },
  confirm: {
    code: 'passkey',
    text: 'WhatsApp muestra un código en el teléfono: hay que comprobar que es el mismo que aquí',
  },
  wait: undefined,
};

const ENDS = {
  'logged-out': 'WhatsApp cerró la sesión',
  'device-removed': 'El dispositivo se quitó desde el teléfono',
  unlinked: 'Se desvinculó desde un panel',
  'connection-lost': 'Se cortó la conexión con WhatsApp',
  unsaved: 'El servidor no pudo guardar las claves de la sesión',
};

/** Returns what WhatsApp does not let a connected session do. */
export function restrictionOf(limit: Limit): WireRestriction {
  return { text: 'Restringida por WhatsApp: puede contestar, no escribir a nuevos', ...limit };
}
