import { STATES, type WirePasskey, type WireReason } from '../../../src/wire.ts';
import type { PasskeyStep } from './engine.ts';

/** What is said of a session at a step. */
interface Words {
  /** While a person has to act, panels read that from its form. */
  readonly state: string;
  readonly text: string;
  /** Not the code to compare: reasons are in the history, which has no codes. */
  readonly reason?: WireReason;
}

export const STEPS: Record<PasskeyStep['step'], Words> = {
  sign: {
    state: 'FALTA LA LLAVE DE ACCESO: hay que confirmarla junto al teléfono',
    text: 'La cuenta pide una llave de acceso: confírmala con un enlace, en una computadora cerca del teléfono',
    reason: {
      code: 'passkey',
      text: 'La cuenta pide una llave de acceso: envía un enlace a quien tiene el teléfono, para abrirlo en una computadora',
    },
  },
  confirm: {
    state: 'FALTA LA LLAVE DE ACCESO: hay que comparar un código con el del teléfono',
    text: 'Compara este código con el que muestra el teléfono',
    reason: {
      code: 'passkey',
      text: 'WhatsApp muestra un código en el teléfono: hay que comprobar que es el mismo que aquí',
    },
  },
  wait: {
    state: STATES.authenticating,
    text: 'La llave de acceso está confirmada: WhatsApp termina de vincular el teléfono',
  },
};

/** Returns a step as it is listed. The page behind a link shows the end of the last text large: the code. */
export function shownStep(passkey: PasskeyStep): WirePasskey {
  const { step } = passkey;
  const { text } = STEPS[step];
  return { step, text: passkey.step === 'confirm' ? `${text}: ${passkey.code}` : text };
}

/** Whether panels show the same of two steps; undefined is none. */
export function isSameStep(one: WirePasskey | undefined, other: WirePasskey | undefined): boolean {
  return one?.step === other?.step && one?.text === other?.text;
}
