import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireListItem } from '../../src/wire.ts';
import type { Delay, EngineEvent } from '../src/sessions/engine.ts';
import { isStopped, wordsOf } from '../src/sessions/reasons.ts';
import { apply, pushesTo } from '../src/sessions/transitions.ts';
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

  test('stopped for a passkey: why it was of no use, in the reason', () => {
    const causes = ['refused', 'unanswered', 'no-phone', 'expired', 'unknown', 'lost', undefined] as const;
    const texts = causes.map((cause) => {
      const session = withCode();
      apply(session, { type: 'stopped', reason: 'passkey', cause });
      assert.match(
        session.state,
        cause ? /^LLAVE DE ACCESO: el teléfono no se vinculó/ : /aquí no se puede dar$/,
      );
      assert.equal(session.reason?.code, 'passkey');
      return session.reason?.text;
    });
    assert.equal(new Set(texts).size, causes.length);
    for (const text of texts) assert.match(text ?? '', /pide a quien|otro código\.$/);
  });

  test('asked for a passkey again: that WhatsApp did not take it', () => {
    const session = withCode();
    apply(session, { type: 'passkey', passkey: { step: 'sign', isAgain: true } });
    for (const text of [session.passkey?.text, session.reason?.text]) {
      assert.match(text ?? '', /^La llave de acceso no sirvió: .*la de esta cuenta/);
    }
  });

  test('delayed: the reason, while it goes on waiting', () => {
    const delays: [Delay, state: string][] = [
      [{ reason: 'unreachable' }, 'SIN CONEXIÓN CON WHATSAPP: se sigue intentando...'],
      [{ reason: 'no-server' }, 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...'],
      [{ reason: 'outdated' }, 'CLIENTE DESACTUALIZADO: hay que actualizar el servidor'],
      [{ reason: 'banned', until: 0 }, 'WHATSAPP PIDE ESPERAR: se sigue intentando...'],
    ];
    for (const [delay, state] of delays) {
      const session: WireListItem = { numero: NUMERO, state: STATES.authenticating, waiting: true };
      const pushes = apply(session, { type: 'delayed', ...delay });
      assert.deepEqual(pushes, [{ event: 'change_state', numero: NUMERO, state }]);
      assert.deepEqual(plain([session]), [{ numero: NUMERO, state, waiting: true }]);
      assert.equal(session.reason?.code, delay.reason);
    }
  });

  test('delayed by a ban: until when, but no hour in words, which readers in other zones would misread', () => {
    const session: WireListItem = { numero: NUMERO, state: STATES.authenticating, waiting: true };
    const until = Date.now() + 60_000;
    apply(session, { type: 'delayed', reason: 'banned', until });
    assert.deepEqual(session.reason, { code: 'banned', text: 'WhatsApp pidió esperar.', until });
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

test('an event that does not concern the state pushes nothing and leaves it unchanged', () => {
  const events: EngineEvent[] = [
    { type: 'name', name: 'Ventas' },
    { type: 'pairing', pairing: undefined },
    { type: 'removed' },
  ];
  for (const event of events) {
    const before: WireListItem = { ...withCode(), since: 5, codeExpires: 6 };
    const session = { ...before };
    assert.deepEqual(apply(session, event), []);
    assert.deepEqual(session, { ...before, ...(event.type === 'name' && { name: 'Ventas' }) });
  }
});

test('a session is in its state since the event that changed it, not since one that repeats it', () => {
  const session: WireListItem = { ...withCode(), since: 5 };
  apply(session, { type: 'qr', code: '2@b' });
  assert.equal(session.since, 5);
  apply(session, { type: 'ready' });
  assert.ok(Number(session.since) > 5);
});

describe('the end of a code', () => {
  test('is that of the last one, where it is known', () => {
    const session = withCode();
    apply(session, { type: 'qr', code: '2@b', expires: 5 });
    assert.equal(session.codeExpires, 5);
    apply(session, { type: 'qr', code: '2@c' });
    assert.ok(!('codeExpires' in session));
  });

  const ends: EngineEvent[] = [
    { type: 'authenticated' },
    { type: 'qr_timeout' },
    { type: 'disconnected' },
    { type: 'state', state: 'OPENING' },
    { type: 'delayed', reason: 'unreachable' },
    { type: 'stopped', reason: 'passkey' },
  ];
  for (const event of ends) {
    test(`goes with the code: ${event.type}`, () => {
      const session: WireListItem = { ...withCode(), codeExpires: 5 };
      apply(session, event);
      assert.ok(!('codeExpires' in session));
    });
  }
});

describe('panels are brought from any state', () => {
  const at = (session: Partial<WireListItem>) =>
    pushesTo({ numero: NUMERO, state: STATES.disconnected, waiting: false, ...session }).map(
      ({ numero: _, ...push }) => push,
    );

  test('to a code, to a connection and to a wait by one push', () => {
    assert.deepEqual(at(withCode()), [{ event: 'qr', code: '2@a' }]);
    assert.deepEqual(at({ state: STATES.connected }), [{ event: 'ready' }]);
    assert.deepEqual(at({ state: 'OPENING', waiting: true }), [{ event: 'change_state', state: 'OPENING' }]);
  });

  test('to an end by one that ends a wait, and to any other state after it', () => {
    assert.deepEqual(at({}), [{ event: 'disconnected' }]);
    assert.deepEqual(at({ state: 'OPENING' }), [
      { event: 'disconnected' },
      { event: 'change_state', state: 'OPENING' },
    ]);
  });
});

test('the state shows whether a session ended for a reason', () => {
  assert.equal(isStopped(wordsOf({ reason: 'restricted' }).state), true);
  assert.equal(isStopped(wordsOf({ reason: 'other-number', numero: '34600000001' }).state), true);
  for (const state of Object.values(STATES)) assert.equal(isStopped(state), false);
});
