import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { REPORTED_STATES } from '../../gateway/src/engines/simulated/faults.ts';
import type { Session } from '../../src/session/session.ts';
import { asksOf } from '../../src/session/states.ts';
import { closeStores, joined } from './support.ts';

afterEach(closeStores);

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
  ['REOPENING', 'unknown', 'scan'],
  ['TIMEOUTS', 'unknown', 'scan'],
  ['Listo.', 'unknown', 'scan'],
  ['Espera... y ya', 'unknown', 'scan'],
  ['', 'unknown', 'scan'],
];

describe('what a state asks of the operator', () => {
  for (const [state, asks, withCode] of STATES) {
    it(`${state || 'an empty text'}: ${asks}, and with a code ${withCode}`, () => {
      assert.equal(asksOf({ state }), asks);
      assert.equal(asksOf({ state, qrCode: '2@1' }), withCode);
    });
  }
});

/** What is said under a state, by its first words; undefined where the state text says it. */
const SAYS: readonly [session: Partial<Session>, asks: string, says: string | undefined][] = [
  [{ state: 'AUTENTICANDO...', waiting: true }, 'wait', 'El servidor está preparando el código.'],
  [{ state: 'AUTENTICANDO...', qrCode: '2@1' }, 'scan', 'Escanéalo con el teléfono de este número.'],
  [{ state: 'AUTENTICANDO...' }, 'wait', 'El teléfono se está vinculando.'],
  [{ state: 'DESCONECTADO' }, 'act', 'Está desconectada de WhatsApp. Levántala para volver a usarla.'],
  [{ state: 'CONNECTED' }, 'nothing', 'Conectada: envía y recibe mensajes.'],
  [{ state: 'CONNECTED', qrCode: '2@1' }, 'nothing', 'Conectada: envía y recibe mensajes.'],
  [{ state: 'CERRANDO SESIÓN...' }, 'wait', 'El servidor la está eliminando.'],
  [{ state: 'OPENING' }, 'wait', 'Se está conectando con WhatsApp'],
  [{ state: 'PAIRING' }, 'wait', 'El teléfono se está vinculando'],
  [{ state: 'TIMEOUT' }, 'wait', 'WhatsApp no responde'],
  [{ state: 'CONFLICT' }, 'act', 'Está abierta en otro WhatsApp Web.'],
  [{ state: 'DEPRECATED_VERSION' }, 'act', 'WhatsApp ya no acepta la versión del servidor'],
  [{ state: 'PROXYBLOCK' }, 'act', 'La red del servidor bloquea WhatsApp'],
  [{ state: 'SMB_TOS_BLOCK' }, 'act', 'WhatsApp bloqueó esta cuenta.'],
  [{ state: 'TOS_BLOCK' }, 'act', 'WhatsApp bloqueó esta cuenta.'],
  [{ state: 'UNLAUNCHED' }, 'act', 'El servidor no ha abierto WhatsApp.'],
  [{ state: 'UNPAIRED' }, 'act', 'El teléfono la desvinculó.'],
  [{ state: 'UNPAIRED_IDLE' }, 'act', 'Nadie escaneó el código a tiempo.'],
  [{ state: 'HIBERNATING' }, 'unknown', 'Estado desconocido'],
  [{ state: 'CUENTA RESTRINGIDA por WhatsApp: consulta en el teléfono' }, 'act', undefined],
  [{ state: 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...' }, 'wait', undefined],
];

describe('what a card says under its state', () => {
  for (const [session, asks, sentence] of SAYS) {
    it(`${JSON.stringify(session)}: ${asks}, ${sentence}`, async () => {
      const { says, status } = await joined([{ numero, state: '', waiting: false, ...session }]);
      assert.equal(status(numero)?.asks, asks);
      if (sentence === undefined) assert.equal(says(numero), undefined);
      else assert.ok(says(numero)?.startsWith(sentence), says(numero));
    });
  }

  it('covers every state that WhatsApp reports', () => {
    const said = SAYS.map(([{ state }]) => state);
    assert.deepEqual(
      REPORTED_STATES.filter((state) => !said.includes(state)),
      [],
    );
  });
});
