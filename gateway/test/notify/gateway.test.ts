import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import type { NotifyOptions } from '../../src/notify/notifier.ts';
import { call, itemOf, startGateway } from '../support/gateway.ts';
import { numeroOf } from './support/channel-lab.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const SUPERVISOR = '34600111222';
const NUMEROS = [1, 2, 3].map(numeroOf);
const [ONE = '', OTHER = ''] = NUMEROS;

/** A gateway with connected phones that tells by a webhook within moments, and the receiver. */
async function start(
  t: TestContext,
  notify: NotifyOptions = {},
): Promise<{ gateway: Gateway; receiver: Receiver }> {
  const receiver = await startReceiver(t);
  const gateway = await startGateway(t, {
    sessions: NUMEROS.map((numero) => ({ numero, state: 'connected' })),
    metrics: true,
    notify: {
      ...receiver.notify,
      after: 0,
      timings: { ...receiver.notify.timings, groupWait: 100 },
      ...notify,
    },
  });
  await until(async () => (await itemOf(gateway, ONE))?.state === 'CONNECTED', 'connected phones');
  return { gateway, receiver };
}

const textsTo = (phone: string, { phones }: Gateway) =>
  phones.get(phone)?.messages.map(({ text }) => text) ?? [];

describe('a gateway tells those who do not look', () => {
  it('that numbers fall, as one, and that they are back', async (t) => {
    const { gateway, receiver } = await start(t);
    for (const numero of NUMEROS) gateway.phones.phone(numero).loseLine();
    await until(() => receiver.deliveries.length === 1, 'a notification');
    for (const numero of NUMEROS) gateway.phones.phone(numero).recoverLine();
    await until(() => receiver.deliveries.length === 2, 'another one');
    const told = receiver.deliveries.map(({ sessions }) =>
      sessions.map(({ numero, event }) => `${numero} ${event}`),
    );
    assert.deepEqual(told, [
      NUMEROS.map((numero) => `${numero} away`),
      NUMEROS.map((numero) => `${numero} back`),
    ]);
    // The gateway has still to read the answer.
    await until(async () => {
      const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
      return /notifications_total\{channel="webhook",outcome="delivered"\} 2/.test(metrics);
    }, 'both to count as delivered');
  });

  it('by WhatsApp too, from a number that may write', async (t) => {
    const { gateway, receiver } = await start(t, { whatsapp: SUPERVISOR });
    gateway.phones.phone(ONE).logOut();
    await until(() => textsTo(SUPERVISOR, gateway).length === 1, 'a message');
    await until(() => receiver.deliveries.length === 1, 'a notification');
    assert.notEqual(gateway.phones.get(SUPERVISOR)?.messages[0]?.from, ONE);
  });

  it('nothing of what operators do', async (t) => {
    const { gateway, receiver } = await start(t);
    assert.equal((await call(gateway, `/api/session/${ONE}/unlink`, { method: 'POST' })).status, 202);
    assert.equal((await call(gateway, `/api/session/${OTHER}`, { method: 'DELETE' })).status, 204);
    gateway.phones.phone(NUMEROS[2] ?? '').loseLine();
    await until(() => receiver.deliveries.length === 1, 'a notification');
    assert.deepEqual(
      receiver.deliveries[0]?.sessions.map(({ numero }) => numero),
      [NUMEROS[2]],
    );
  });
});
