import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asksOf } from '../../src/session/status.ts';

const numero = '5491155550001';

/** What a state text asks for, and with a code to scan. */
const STATES: readonly [state: string, asks: string, withCode: string][] = [
  ['CONNECTED', 'nothing', 'nothing'],
  ['AUTENTICANDO...', 'wait', 'scan'],
  ['DESCONECTADO', 'act', 'scan'],
  ['CERRANDO SESIÓN...', 'wait', 'scan'],
  ['OPENING', 'wait', 'scan'],
  ['PAIRING', 'wait', 'scan'],
  ['TIMEOUT', 'wait', 'scan'],
  ['CONFLICT', 'act', 'scan'],
  ['UNPAIRED_IDLE', 'act', 'scan'],
  // A server's own texts.
  ['RECONECTANDO...', 'wait', 'scan'],
  ['Esperando al teléfono…', 'wait', 'scan'],
  ['SIN CONEXIÓN CON WHATSAPP: se sigue intentando...', 'wait', 'scan'],
  ['CUENTA RESTRINGIDA por WhatsApp: consulta en el teléfono', 'act', 'scan'],
  ['LLAVE DE ACCESO: WhatsApp la pide', 'act', 'scan'],
  ['ALGO NUEVO', 'unknown', 'scan'],
  ['12:30', 'unknown', 'scan'],
  ['', 'unknown', 'scan'],
];

describe('what a state asks of the operator', () => {
  for (const [state, asks, withCode] of STATES) {
    it(`${state || 'an empty text'}: ${asks}, and with a code ${withCode}`, () => {
      assert.equal(asksOf({ numero, state, waiting: false }), asks);
      assert.equal(asksOf({ numero, state, waiting: false, qrCode: '2@1' }), withCode);
    });
  }
});
