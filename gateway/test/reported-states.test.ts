import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { REPORTED_STATES } from '../src/engines/simulated/faults.ts';
import type { Gateway } from '../src/gateway.ts';
import { call, Listener, listOf, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const tell = (gateway: Gateway, state: unknown) =>
  call(gateway, `/simulator/phones/${NUMERO}/state`, { method: 'POST', body: { state } });

describe('a state that WhatsApp reports', () => {
  test('reaches every panel as change_state, whatever it is', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    const panel = await Listener.connect(t, gateway);
    for (const [index, state] of REPORTED_STATES.filter((state) => state !== 'CONNECTED').entries()) {
      assert.equal((await tell(gateway, state)).status, 204, state);
      assert.deepEqual(await panel.heard('session:change_state', index), [{ numero: NUMERO, state }]);
      assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state, waiting: false }]);
      assert.equal(gateway.phones.get(NUMERO)?.reported, state);
    }
  });

  test('ends with a start of a linked phone, or with CONNECTED', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'connected' }] });
    const panel = await Listener.connect(t, gateway);
    await tell(gateway, 'CONFLICT');
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    assert.equal(gateway.phones.get(NUMERO)?.reported, null);
    clock.advance(1_000);
    await panel.heard(`session:ready:${NUMERO}`);

    await tell(gateway, 'TIMEOUT');
    await tell(gateway, 'CONNECTED');
    assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: STATES.connected, waiting: false }]);
    assert.equal(gateway.phones.get(NUMERO)?.reported, null);
  });

  test('of no longer being paired makes the next start need a code', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'connected' }] });
    const panel = await Listener.connect(t, gateway);
    await tell(gateway, 'UNPAIRED');
    assert.equal(gateway.phones.get(NUMERO)?.linked, false);
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    clock.advance(1_000);
    await panel.heard(`session:qr:${NUMERO}`);
  });

  test('removes a code from the panels, and no other follows', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'qr' }] });
    const panel = await Listener.connect(t, gateway);
    await tell(gateway, 'DEPRECATED_VERSION');
    await panel.heard(`session:disconnected:${NUMERO}`);
    assert.deepEqual(await listOf(gateway), [
      { numero: NUMERO, state: 'DEPRECATED_VERSION', waiting: false },
    ]);
    assert.equal(gateway.phones.get(NUMERO)?.state, 'off');
    assert.equal(clock.pending, 0);
  });

  test('does not interrupt a session that is being opened', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    const panel = await Listener.connect(t, gateway);
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    await tell(gateway, 'OPENING');
    clock.advance(1_000);
    await panel.heard(`session:qr:${NUMERO}`);
    gateway.phones.phone(NUMERO).scan(gateway.phones.get(NUMERO)?.code ?? '');
    await tell(gateway, 'PAIRING');
    clock.advance(1_500);
    await panel.heard(`session:ready:${NUMERO}`);
  });

  test('is refused where it makes no sense', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'disconnected' }] });
    const refusals = [
      ['CONNECTED', 409, `La sesión de ${NUMERO} no está conectada.`],
      ['connected', 400, "El campo 'state' de la solicitud no es válido."],
    ] as const;
    for (const [state, status, says] of refusals) {
      const { body } = await tell(gateway, state);
      const error = status === 409 ? 'Conflict' : 'Bad Request';
      assert.deepEqual(body, { statusCode: status, error, message: says });
    }
    gateway.phones.setFault(NUMERO, 'refuses');
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    assert.equal((await tell(gateway, 'CONFLICT')).status, 409);
  });
});
