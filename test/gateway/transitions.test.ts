import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EngineEvent } from '../../demo/gateway/engine.ts';
import { apply } from '../../demo/gateway/transitions.ts';
import { STATES, type WireSession } from '../../src/wire.ts';

const NUMERO = '5215550001111';

function withCode(): WireSession {
  return { numero: NUMERO, state: STATES.authenticating, qrCode: '2@a', waiting: false };
}

describe('what the panels are told of a session in trouble', () => {
  test('that stopped: that it ended, then why', () => {
    const reasons: [EngineEvent, says: RegExp][] = [
      [{ type: 'stopped', reason: 'passkey' }, /^LLAVE DE ACCESO/],
      [{ type: 'stopped', reason: 'restricted' }, /^CUENTA RESTRINGIDA/],
      [{ type: 'stopped', reason: 'replaced' }, /^ABIERTA EN OTRO SITIO/],
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
      assert.deepEqual(session, { numero: NUMERO, state: why.state, waiting: false });
    }
  });

  test('that is delayed: why, while it goes on waiting', () => {
    const session: WireSession = { numero: NUMERO, state: STATES.authenticating, waiting: true };
    const pushes = apply(session, { type: 'delayed', reason: 'unreachable' });
    assert.deepEqual(pushes, [{ event: 'change_state', numero: NUMERO, state: session.state }]);
    assert.match(session.state, /^SIN CONEXIÓN CON WHATSAPP/);
    assert.equal(session.waiting, true);
  });

  test('whose line goes while a code is up: the code goes too, since nobody can scan it', () => {
    const session = withCode();
    assert.deepEqual(apply(session, { type: 'state', state: 'OPENING' }), [
      { event: 'disconnected', numero: NUMERO },
      { event: 'change_state', numero: NUMERO, state: 'OPENING' },
    ]);
    assert.deepEqual(session, { numero: NUMERO, state: 'OPENING', waiting: false });
  });
});
