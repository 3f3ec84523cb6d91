import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { until } from '../../test/support/until.ts';
import type { PhoneFault } from '../src/engines/simulated/faults.ts';
import type { Gateway } from '../src/gateway.ts';
import { type Answer, call, Listener, listOf, message, NUMERO, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

/** Longer than all codes of a start live. */
const AGES = 1_000_000;

async function give(gateway: Gateway, fault: PhoneFault | null): Promise<void> {
  const path = `/simulator/phones/${NUMERO}/fault`;
  assert.equal((await call(gateway, path, { method: 'POST', body: { fault } })).status, 204);
}

const raise = (gateway: Gateway) => call(gateway, `/api/session/levanta/${NUMERO}`);
const remove = (gateway: Gateway) => call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
const send = (gateway: Gateway) =>
  call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, [34600111222]) });
const phone = ({ phones }: Gateway) => phones.get(NUMERO) ?? assert.fail('there is no phone');
const says = ({ body }: Answer) =>
  body !== null && typeof body === 'object' && 'message' in body ? body.message : undefined;

describe('a phone with a fault', () => {
  async function start(t: Parameters<typeof startGateway>[0], state: 'connected' | 'qr' | 'disconnected') {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock, sessions: [{ numero: NUMERO, state }] });
    return { clock, gateway, panel: await Listener.connect(t, gateway) };
  }

  test('stuck: is authenticated but not ready, until the fault is removed', async (t) => {
    const { clock, gateway, panel } = await start(t, 'qr');
    await give(gateway, 'stuck');
    gateway.phones.phone(NUMERO).scan(phone(gateway).code ?? '');
    clock.advance(AGES);
    await panel.heard(`session:authenticated:${NUMERO}`);
    assert.equal(phone(gateway).state, 'linking');
    assert.equal(phone(gateway).stalled, true);
    assert.equal(clock.pending, 0);

    await raise(gateway);
    clock.advance(AGES);
    await panel.heard(`session:authenticated:${NUMERO}`, 1);
    await give(gateway, null);
    await panel.heard(`session:ready:${NUMERO}`);
    assert.equal(panel.names.filter((name) => name === `session:ready:${NUMERO}`).length, 1);
  });

  test('no-code: waits, and goes on once the fault is removed', async (t) => {
    const { clock, gateway, panel } = await start(t, 'disconnected');
    await give(gateway, 'no-code');
    assert.equal((await raise(gateway)).status, 200);
    clock.advance(AGES);
    assert.deepEqual(await listOf(gateway), [
      { numero: NUMERO, state: STATES.authenticating, waiting: true },
    ]);
    assert.equal(phone(gateway).stalled, true);

    await give(gateway, null);
    await panel.heard(`session:qr:${NUMERO}`);
    assert.deepEqual(panel.names, ['session:change_state', `session:qr:${NUMERO}`]);
  });

  test('refuses: a start is answered with 503, the numero and what to do, and the session is off', async (t) => {
    const { clock, gateway, panel } = await start(t, 'connected');
    await give(gateway, 'refuses');
    const refusal = await raise(gateway);
    assert.equal(refusal.status, 503);
    assert.equal(
      says(refusal),
      `WhatsApp no deja levantar la sesión de ${NUMERO}: inténtalo en unos minutos y, si sigue igual, elimínala y agrégala de nuevo.`,
    );
    await panel.heard(`session:disconnected:${NUMERO}`);
    assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: STATES.disconnected, waiting: false }]);
    assert.equal(phone(gateway).linked, true);

    await give(gateway, null);
    assert.equal((await raise(gateway)).status, 200);
    clock.advance(1_000);
    await panel.heard(`session:ready:${NUMERO}`);
  });

  test('refuses: also for an added numero whose phone exists because of a message', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: '34600111222', state: 'connected' }] });
    await gateway.phones.send('34600111222', NUMERO, 'Hola');
    await give(gateway, 'refuses');
    assert.equal((await raise(gateway)).status, 503);
  });

  test('stale-code: the code expires, without another one or a push', async (t) => {
    const { clock, gateway, panel } = await start(t, 'qr');
    const code = phone(gateway).code ?? '';
    await give(gateway, 'stale-code');
    clock.advance(59_999);
    assert.equal(phone(gateway).code, code);
    clock.advance(AGES);
    assert.equal(phone(gateway).code, null);
    assert.deepEqual(panel.pushes, []);
    assert.deepEqual(await listOf(gateway), [
      { numero: NUMERO, state: STATES.authenticating, waiting: false, qrCode: code },
    ]);
    assert.throws(() => gateway.phones.phone(NUMERO).scan(code), { reason: 'expired-code' });

    await give(gateway, null);
    const [next] = await panel.heard(`session:qr:${NUMERO}`);
    assert.equal(phone(gateway).code, next);
    clock.advance(20_000);
    await panel.heard(`session:qr:${NUMERO}`, 1);
  });

  test('slow-delete: the answer takes two minutes', async (t) => {
    const { clock, gateway, panel } = await start(t, 'connected');
    await give(gateway, 'slow-delete');
    const answered: number[] = [];
    const deletion = remove(gateway).then(({ status }) => answered.push(status));
    await until(() => phone(gateway).state === 'closing', 'the deletion to begin');
    clock.advance(119_999);
    assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: STATES.closing, waiting: true }]);
    assert.deepEqual(answered, []);
    for (const act of ['logOut', 'loseLine'] as const) {
      assert.throws(() => gateway.phones.phone(NUMERO)[act](), { name: 'PhoneRefused' });
    }
    assert.throws(() => gateway.phones.phone(NUMERO).report('CONFLICT'), { reason: 'closing' });
    await assert.rejects(gateway.phones.unlink(NUMERO), { name: 'NotLinked' });

    clock.advance(1);
    await deletion;
    assert.deepEqual(answered, [204]);
    assert.deepEqual(await listOf(gateway), []);
    assert.equal(clock.pending, 0);
    await panel.heard(`session:disconnected:${NUMERO}`);
  });

  test('slow-delete: removing the fault ends a pending deletion; a new session has no fault', async (t) => {
    const { clock, gateway, panel } = await start(t, 'connected');
    await give(gateway, 'slow-delete');
    const deletion = remove(gateway);
    await until(() => phone(gateway).state === 'closing', 'the deletion to begin');
    await give(gateway, null);
    assert.equal((await deletion).status, 204);
    assert.equal(clock.pending, 0);

    await raise(gateway);
    assert.equal(phone(gateway).linked, false);
    clock.advance(1_000);
    await panel.heard(`session:qr:${NUMERO}`);
  });

  test("slow-delete: does not delay the gateway's shutdown, nor keep its process alive", async (t) => {
    const { clock, gateway } = await start(t, 'connected');
    await give(gateway, 'slow-delete');
    const cut = assert.rejects(remove(gateway));
    await until(() => phone(gateway).state === 'closing', 'the deletion to begin');
    await gateway.close();
    await cut;
    assert.equal(clock.pending, 0);
  });

  test('is removed with its session', async (t) => {
    const { gateway } = await start(t, 'connected');
    await give(gateway, 'refuses');
    assert.equal((await remove(gateway)).status, 204);
    assert.equal((await raise(gateway)).status, 200);
    assert.equal(phone(gateway).fault, null);
  });

  test('failing-sends: each message fails with its reason, until the fault is removed', async (t) => {
    const { gateway } = await start(t, 'connected');
    await give(gateway, 'failing-sends');
    for (let times = 0; times < 2; times++) {
      const failure = await send(gateway);
      assert.equal(failure.status, 503);
      assert.equal(says(failure), 'WhatsApp no responde: no se envió a 34600111222.');
    }
    assert.equal(gateway.phones.get('34600111222'), undefined);

    await give(gateway, null);
    assert.equal((await send(gateway)).status, 200);
  });

  test('another fault releases what the previous one held', async (t) => {
    const { clock, gateway, panel } = await start(t, 'qr');
    await give(gateway, 'stale-code');
    clock.advance(60_000);
    await give(gateway, 'failing-sends');
    await panel.heard(`session:qr:${NUMERO}`);
  });

  test('is shown to observers of the phones, and must be a known one', async (t) => {
    const { gateway } = await start(t, 'connected');
    const drawer = await Listener.connect(t, gateway, '/simulator');
    await give(gateway, 'slow-delete');
    assert.deepEqual(await drawer.heard('phone'), [phone(gateway)]);
    assert.equal(phone(gateway).fault, 'slow-delete');

    const path = `/simulator/phones/${NUMERO}/fault`;
    for (const body of [{ fault: 'bad-hair' }, { fault: '' }, {}]) {
      assert.equal((await call(gateway, path, { method: 'POST', body })).status, 400);
    }
    const unknown = { method: 'POST', body: { fault: null } };
    assert.equal((await call(gateway, '/simulator/phones/1/fault', unknown)).status, 404);
    assert.equal(phone(gateway).fault, 'slow-delete');
  });
});
