import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireListItem } from '../../src/wire.ts';
import type { EngineEvent } from '../src/sessions/engine.ts';
import { apply } from '../src/sessions/transitions.ts';
import { plain } from './support/plain.ts';

const NUMERO = '5215550001111';

function withCode(): WireListItem {
  return { numero: NUMERO, state: STATES.authenticating, qrCode: '2@a', waiting: false };
}

describe('pushes for a session that cannot go on', () => {
  test('stopped: an end, then the reason, which asks for a person by its colon', () => {
    const reasons: [EngineEvent, says: RegExp][] = [
      [{ type: 'stopped', reason: 'passkey' }, /^LLAVE DE ACCESO: .*[^.]$/],
      [{ type: 'stopped', reason: 'restricted' }, /^CUENTA RESTRINGIDA por WhatsApp: .*[^.]$/],
      [{ type: 'stopped', reason: 'replaced' }, /^ABIERTA EN OTRO SITIO: .*[^.]$/],
      [
        { type: 'stopped', reason: 'other-number', numero: '34600000001' },
        /^NÚMERO DISTINTO: .* 34600000001$/,
      ],
    ];
    for (const [event, says] of reasons) {
      const session = withCode();
      const [ended, why] = apply(session, event);
      assert.deepEqual(ended, { event: 'disconnected', numero: NUMERO });
      assert.ok(why?.event === 'change_state' && says.test(why.state));
      assert.deepEqual(plain([session]), [{ numero: NUMERO, state: why.state, waiting: false }]);
      assert.equal(session.reason?.code, event.type === 'stopped' && event.reason);
    }
  });

  test('delayed: the reason, while it goes on waiting', () => {
    for (const [reason, state] of [
      ['unreachable', 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...'],
      ['odd-code', 'CÓDIGO NO VÁLIDO: se espera el siguiente...'],
      ['outdated', 'CLIENTE DESACTUALIZADO: hay que actualizar el servidor'],
    ] as const) {
      const session: WireListItem = { numero: NUMERO, state: STATES.authenticating, waiting: true };
      const pushes = apply(session, { type: 'delayed', reason });
      assert.deepEqual(pushes, [{ event: 'change_state', numero: NUMERO, state }]);
      assert.deepEqual(plain([session]), [{ numero: NUMERO, state, waiting: true }]);
      assert.equal(session.reason?.code, reason);
    }
  });

  test('reconnecting while a code is shown: the code is removed, since nobody can scan it', () => {
    const session = withCode();
    assert.deepEqual(apply(session, { type: 'state', state: 'OPENING' }), [
      { event: 'disconnected', numero: NUMERO },
      { event: 'change_state', numero: NUMERO, state: 'OPENING' },
    ]);
    assert.deepEqual(plain([session]), [{ numero: NUMERO, state: 'OPENING', waiting: false }]);
    assert.equal(session.reason?.code, 'connection-lost');
  });
});
