import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { call, Listener, listOf, message, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const FAST = { speed: 1_000 };

describe('the calls and pushes of the contract', () => {
  test('the list starts with the given sessions', async (t) => {
    const gateway = await startGateway(t, {
      sessions: [
        { numero: '1', state: 'connected' },
        { numero: '2', state: 'qr' },
        { numero: '3', state: 'disconnected' },
        { numero: '4', state: 'waiting' },
      ],
    });
    assert.deepEqual(await listOf(gateway), [
      { numero: '1', state: STATES.connected, waiting: false },
      { numero: '2', state: STATES.authenticating, waiting: false, qrCode: gateway.phones.get('2')?.code },
      { numero: '3', state: STATES.disconnected, waiting: false },
      { numero: '4', state: STATES.authenticating, waiting: true },
    ]);
  });

  test('an empty list is an empty array', async (t) => {
    assert.deepEqual(await listOf(await startGateway(t)), []);
  });

  test('by default there are six sessions, of all kinds', async (t) => {
    const gateway = await startGateway(t, { sessions: undefined });
    const states = gateway.phones.list().map(({ state }) => state);
    assert.equal(states.length, 6);
    assert.deepEqual(new Set(states), new Set(['connected', 'code', 'off', 'starting']));
  });

  test('levanta answers at once with the numero, and the session waits', async (t) => {
    const gateway = await startGateway(t, { clock: new ManualClock() });
    const { status, body } = await call(gateway, `/api/session/levanta/${NUMERO}`);
    assert.equal(status, 200);
    assert.deepEqual(body, { numero: NUMERO });
    assert.deepEqual(await listOf(gateway), [
      { numero: NUMERO, state: STATES.authenticating, waiting: true },
    ]);
  });

  test('a numero is kept as it was written', async (t) => {
    const gateway = await startGateway(t, FAST);
    const listener = await Listener.connect(t, gateway);
    const { body } = await call(gateway, `/api/session/levanta/${encodeURIComponent('+52 155 5000')}`);
    assert.deepEqual(body, { numero: '+52 155 5000' });
    await listener.heard('session:qr:+52 155 5000');
  });

  test('a whole life is pushed: code, renewed code, scan, ready, reconnection, unlinked', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock });
    const listener = await Listener.connect(t, gateway);
    await call(gateway, `/api/session/levanta/${NUMERO}`);

    clock.advance(1_000);
    const [first] = await listener.heard(`session:qr:${NUMERO}`);
    clock.advance(60_000);
    const [second] = await listener.heard(`session:qr:${NUMERO}`, 1);
    assert.match(String(first), /^2@/);
    assert.notEqual(first, second);

    gateway.phones.phone(NUMERO).scan(String(second));
    clock.advance(1_500);
    assert.deepEqual(await listener.heard(`session:authenticated:${NUMERO}`), []);
    assert.deepEqual(await listener.heard(`session:ready:${NUMERO}`), []);
    assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: STATES.connected, waiting: false }]);

    gateway.phones.phone(NUMERO).loseLine();
    gateway.phones.phone(NUMERO).recoverLine();
    gateway.phones.phone(NUMERO).logOut();
    await listener.heard(`session:disconnected:${NUMERO}`);
    assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: STATES.disconnected, waiting: false }]);
    assert.deepEqual(
      listener.pushes.filter(([name]) => name === 'session:change_state').map(([, payload]) => payload),
      [STATES.authenticating, 'OPENING', 'CONNECTED'].map((state) => ({ numero: NUMERO, state })),
    );
  });

  test('codes that nobody scans end in qr_timeout', async (t) => {
    const gateway = await startGateway(t, { speed: 2_000 });
    const listener = await Listener.connect(t, gateway);
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    await listener.heard(`session:qr_timeout:${NUMERO}`);
    assert.equal(listener.names.filter((name) => name === `session:qr:${NUMERO}`).length, 6);
    assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: STATES.disconnected, waiting: false }]);
  });

  test('a scanned session has no code any more, and keeps its state text', async (t) => {
    const sessions = [{ numero: NUMERO, state: 'qr' }] as const;
    const gateway = await startGateway(t, { clock: new ManualClock(), sessions });
    gateway.phones.phone(NUMERO).scan(gateway.phones.get(NUMERO)?.code ?? '');
    assert.deepEqual(await listOf(gateway), [
      { numero: NUMERO, state: STATES.authenticating, waiting: false },
    ]);
  });

  test('a seed that waits can be started', async (t) => {
    const gateway = await startGateway(t, { ...FAST, sessions: [{ numero: NUMERO, state: 'waiting' }] });
    const listener = await Listener.connect(t, gateway);
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    await listener.heard(`session:qr:${NUMERO}`);
  });

  test('a shown code is removed from every panel when the session is restarted or deleted', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'qr' }] });
    for (const [method, path] of [
      ['GET', `/api/session/levanta/${NUMERO}`],
      ['DELETE', `/api/session/${NUMERO}`],
    ] as const) {
      const listener = await Listener.connect(t, gateway);
      await call(gateway, path, { method });
      await listener.heard('session:change_state');
      assert.deepEqual(listener.names.slice(0, 2), [
        `session:disconnected:${NUMERO}`,
        'session:change_state',
      ]);
      if (method === 'GET') await listener.heard(`session:qr:${NUMERO}`);
    }
  });

  test('a start is answered after the pushes that end the previous one', async (t) => {
    const sessions = [{ numero: NUMERO, state: 'qr' }] as const;
    const gateway = await startGateway(t, { clock: new ManualClock(), sessions });
    const listener = await Listener.connect(t, gateway, '/', { transports: ['websocket'] });
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    assert.deepEqual(listener.names, [`session:disconnected:${NUMERO}`, 'session:change_state']);
  });

  test('delete removes the session from the list, and the other panels learn of it', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    const listener = await Listener.connect(t, gateway);
    const { status } = await call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    assert.equal(status, 204);
    assert.deepEqual(await listOf(gateway), []);
    await listener.heard(`session:disconnected:${NUMERO}`);
    assert.deepEqual(listener.pushes[0], ['session:change_state', { numero: NUMERO, state: STATES.closing }]);
  });

  test('a message arrives at every number, with or without a session', async (t) => {
    const gateway = await startGateway(t, {
      sessions: [
        { numero: NUMERO, state: 'connected' },
        { numero: '+54 911 5000-0001', state: 'connected' },
      ],
    });
    const before = Date.now();
    const { status } = await call(gateway, '/api/message', {
      method: 'POST',
      body: message(NUMERO, [5491150000001, 34600000001], 'Ñandú <b>✓</b>'),
    });
    assert.equal(status, 200);
    for (const numero of ['+54 911 5000-0001', '34600000001']) {
      const [received] = gateway.phones.get(numero)?.messages ?? [];
      assert.ok(received);
      assert.equal(received.text, 'Ñandú <b>✓</b>');
      assert.equal(received.from, NUMERO);
      assert.ok(received.at >= before && received.at <= Date.now(), `${received.at}`);
    }
  });
});
