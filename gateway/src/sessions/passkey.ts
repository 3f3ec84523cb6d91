import { STATES, type WirePasskey, type WireReason } from '../../../src/wire.ts';
import type { PasskeyFailure, PasskeyStep } from './engine.ts';

/** What is said of a session at a step. */
interface Words {
  /** While a person has to act, panels read that from its form. */
  readonly state: string;
  readonly text: string;
  /** Not the code to compare: reasons are in the history, which has no codes. */
  readonly reason?: WireReason;
}

const TO_SIGN = 'FALTA LA LLAVE DE ACCESO: hay que confirmarla junto al teléfono';

const STEPS: Record<PasskeyStep['step'] | 'again', Words> = {
  sign: {
    state: TO_SIGN,
    text: 'La cuenta pide una llave de acceso: confírmala con un enlace, en una computadora cerca del teléfono.',
    reason: {
      code: 'passkey',
      text: 'La cuenta pide una llave de acceso: envía un enlace a quien tiene el teléfono, para abrirlo en una computadora.',
    },
  },
  again: {
    state: TO_SIGN,
    text: 'La llave de acceso no sirvió: confirma con la de esta cuenta en la página del enlace, en una computadora cerca del teléfono.',
    reason: {
      code: 'passkey',
      text: 'La llave de acceso no sirvió: hay que elegir la de esta cuenta.',
    },
  },
  confirm: {
    state: 'FALTA LA LLAVE DE ACCESO: hay que comparar un código con el del teléfono',
    text: 'Compara este código con el que muestra el teléfono, y continúa solo si es el mismo',
    reason: {
      code: 'passkey',
      text: 'WhatsApp muestra un código en el teléfono: hay que comprobar que es el mismo que aquí.',
    },
  },
  wait: {
    state: STATES.authenticating,
    text: 'WhatsApp comprueba la llave de acceso: deja WhatsApp abierto en el teléfono.',
  },
};

export function wordsOfStep(passkey: PasskeyStep): Words {
  return STEPS[passkey.step === 'sign' && passkey.isAgain ? 'again' : passkey.step];
}

/** Why a passkey did not link the phone. Not in words of the panel alone: the page behind a link shows them too. */
export const PASSKEY_FAILURES: Record<PasskeyFailure, string> = {
  refused: 'La llave de acceso no sirvió: usa la de esta cuenta y, en unos minutos, empieza con otro código.',
  unanswered: 'WhatsApp no siguió con la llave de acceso: empieza con otro código.',
  'no-phone':
    'El teléfono no respondió: deja WhatsApp abierto en él, mira si ya tiene 4 dispositivos vinculados y, en unos minutos, empieza con otro código.',
  expired: 'Nadie confirmó la llave de acceso a tiempo: empieza con otro código.',
  unknown:
    'WhatsApp pidió la llave de acceso de una forma nueva: pide a quien administra el servidor que lo actualice.',
  lost: 'Se cortó la conexión mientras se confirmaba la llave de acceso: empieza con otro código.',
};

/** Returns a step as it is listed. The page behind a link shows the end of the last text large: the code. */
export function shownStep(passkey: PasskeyStep): WirePasskey {
  const { step } = passkey;
  const { text } = wordsOfStep(passkey);
  return { step, text: passkey.step === 'confirm' ? `${text}: ${passkey.code}` : text };
}

/** Whether panels show the same of two steps; undefined is none. */
export function isSameStep(one: WirePasskey | undefined, other: WirePasskey | undefined): boolean {
  return one?.step === other?.step && one?.text === other?.text;
}
