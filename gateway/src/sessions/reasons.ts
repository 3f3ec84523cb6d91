import type { WireReason, WireRestriction } from '../../../src/wire.ts';
import { proxySentence } from '../proxy/failure.ts';
import type { Delay, Limit, Stop } from './engine.ts';
import { PASSKEY_FAILURES, wordsOfStep } from './passkey.ts';
import type { SessionEvent } from './session-event.ts';

/** What is said of a session that waits for something beyond anyone's control here, or that ended for a reason. */
interface Words {
  /**
   * Its state, with the next step if there is one. Panels classify it by its form: three dots at the end mean that it
   * passes by itself; otherwise a colon means that the text explains itself, and that a person has to act.
   */
  readonly state: string;
  /** Why it is not connected. */
  readonly text: string;
}

type Cause = Delay | Stop | { reason: 'silent' };

const PASSKEY = 'LLAVE DE ACCESO: ';

const WORDS: Record<Exclude<Cause['reason'], 'proxy' | 'other-number'>, Words> = {
  unreachable: {
    state: 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...',
    text: 'El servidor no llega a WhatsApp: revisa su conexión a internet.',
  },
  'no-server': {
    state: 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...',
    text: 'El servidor que lleva la sesión no responde.',
  },
  relinking: {
    state: 'CLAVES CADUCADAS: se pide un código nuevo...',
    text: 'WhatsApp rechazó las claves: el teléfono ya no está vinculado.',
  },
  outdated: {
    state: 'CLIENTE DESACTUALIZADO: hay que actualizar el servidor',
    text: 'WhatsApp ya no acepta la versión del servidor: pide a quien lo administra que lo actualice.',
  },
  'dead-keys': {
    state: 'CLAVES RECHAZADAS: hay que vincular el teléfono de nuevo',
    text: 'WhatsApp rechaza las claves una y otra vez: levanta la sesión y vincula el teléfono de nuevo.',
  },
  banned: { state: 'WHATSAPP PIDE ESPERAR: se sigue intentando...', text: 'WhatsApp pidió esperar.' },
  silent: {
    state: 'SIN SEÑAL: WhatsApp no responde',
    text: 'WhatsApp dejó de responder: abre WhatsApp en el teléfono y, si sigue así, levanta la sesión.',
  },
  passkey: {
    state: `${PASSKEY}WhatsApp la pide para esta cuenta, y aquí no se puede dar`,
    text: 'La cuenta pide una llave de acceso, que aquí no se puede dar: vincula otro número, o pide a quien administra el servidor que lo permita.',
  },
  restricted: {
    state: 'CUENTA RESTRINGIDA por WhatsApp: consulta en el teléfono',
    text: 'WhatsApp restringió la cuenta: mira el aviso en el teléfono.',
  },
  replaced: {
    state: 'ABIERTA EN OTRO SITIO: levanta la sesión para usarla aquí',
    text: 'Otra computadora usa esta sesión.',
  },
};

const OTHER_NUMBER = 'NÚMERO DISTINTO: ';

export function wordsOf(cause: Cause): Words {
  switch (cause.reason) {
    case 'proxy':
      return {
        state: 'SIN CONEXIÓN CON EL PROXY: se sigue intentando...',
        text: `${proxySentence(cause)} Sin él, la sesión no se conecta.`,
      };
    case 'other-number':
      return {
        state: `${OTHER_NUMBER}se escaneó con el teléfono ${cause.numero}`,
        text: `Se vinculó el teléfono ${cause.numero}, que es de otro número.`,
      };
    case 'passkey':
      return cause.cause
        ? { state: `${PASSKEY}el teléfono no se vinculó`, text: PASSKEY_FAILURES[cause.cause] }
        : WORDS.passkey;
    default:
      return WORDS[cause.reason];
  }
}

/** How the states of sessions begin that ended for a reason. */
const STOPS = [PASSKEY, WORDS.restricted.state, WORDS.replaced.state, OTHER_NUMBER];

/** Whether the state is that of a session that ended for a reason: only a person can lift it. */
export function isStopped(state: string): boolean {
  return STOPS.some((beginning) => state.startsWith(beginning));
}

/**
 * Returns why a session is not connected after an event; undefined if it is, or is about to be (docs/reasons.md).
 *
 * @param by the user who unlinked it
 */
export function reasonAfter(event: SessionEvent, by?: string): WireReason | undefined {
  switch (event.type) {
    case 'disconnected':
      return (
        event.reason && {
          code: event.reason,
          text: by === undefined ? ENDS[event.reason] : `${by} la desvinculó desde un panel.`,
        }
      );
    case 'qr_timeout':
      return event.reason
        ? {
            code: event.reason,
            text: 'Nadie vinculó un teléfono, quizá porque WhatsApp ya no acepta la versión del servidor: pide a quien lo administra que lo actualice.',
          }
        : { code: 'not-scanned', text: 'Nadie escaneó el código a tiempo.' };
    case 'state':
      // The panel explains WhatsApp's own words, except those that the engine uses itself.
      return event.state === 'OPENING'
        ? { code: 'connection-lost', text: ENDS['connection-lost'] }
        : undefined;
    case 'passkey':
      return wordsOfStep(event.passkey).reason;
    case 'silent':
      return { code: event.type, text: WORDS.silent.text };
    case 'delayed':
    case 'stopped': {
      const until = event.reason === 'banned' ? { until: event.until } : {};
      return { code: event.reason, text: wordsOf(event).text, ...until };
    }
    default:
      return undefined;
  }
}

/** Why a session could not be started. */
export const NOT_STARTED: WireReason = { code: 'start-failed', text: 'No se pudo levantar.' };

const ENDS = {
  'logged-out': 'WhatsApp cerró la sesión.',
  'device-removed': 'El dispositivo se quitó desde el teléfono.',
  unlinked: 'Se desvinculó desde un panel.',
  'connection-lost': 'Se cortó la conexión con WhatsApp.',
  unsaved: 'El servidor no pudo guardar las claves de la sesión.',
};

/** Returns what WhatsApp does not let a connected session do. */
export function restrictionOf(limit: Limit): WireRestriction {
  return { text: 'Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos.', ...limit };
}
