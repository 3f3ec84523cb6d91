import { STATES, type WirePasskey } from '../../../src/wire.ts';
import type { PasskeyStep } from './engine.ts';

/** Returns the state of a session at a step: while a person has to act, panels read that from its form. */
export function passkeyState({ step }: PasskeyStep): string {
  switch (step) {
    case 'sign':
      return 'FALTA LA LLAVE DE ACCESO: hay que confirmarla junto al teléfono';
    case 'confirm':
      return 'FALTA LA LLAVE DE ACCESO: hay que comparar un código con el del teléfono';
    case 'wait':
      return STATES.authenticating;
  }
}

/** Returns a step as it is listed. The page behind a link shows the end of the last text large: the code. */
export function shownStep(passkey: PasskeyStep): WirePasskey {
  const { step } = passkey;
  switch (step) {
    case 'sign':
      return {
        step,
        text: 'La cuenta pide una llave de acceso: confírmala con un enlace, en una computadora cerca del teléfono',
      };
    case 'confirm':
      return { step, text: `Compara este código con el que muestra el teléfono: ${passkey.code}` };
    case 'wait':
      return { step, text: 'La llave de acceso está confirmada: WhatsApp termina de vincular el teléfono' };
  }
}

/** Whether panels show the same of two steps; undefined is none. */
export function isSameStep(one: WirePasskey | undefined, other: WirePasskey | undefined): boolean {
  return one?.step === other?.step && one?.text === other?.text;
}
