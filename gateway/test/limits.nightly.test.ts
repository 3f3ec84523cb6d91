import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import type { Gateway } from '../src/gateway.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';

const SEEDS = [{ numero: NUMERO, state: 'connected' }] as const;
const times = <T>(count: number, task: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => task(index)));

const start = (gateway: Gateway, from = '') =>
  call(gateway, `/api/session/levanta/${NUMERO}`, { headers: { 'X-Forwarded-For': from } });
const send = (gateway: Gateway) =>
  call(gateway, '/api/message', { method: 'POST', body: message(NUMERO, [34600000002]) });

describe('the rate limit of one address', () => {
  for (const [what, request, expected] of [
    ['start sessions', start, 200],
    ['send messages', send, 200],
  ] as const) {
    test(`applies to attempts to ${what}`, async (t) => {
      const gateway = await startGateway(t, { sessions: SEEDS });
      const first = await times(200, () => request(gateway));
      assert.ok(first.every(({ status }) => status === expected));
      const answers = await times(40, () => request(gateway));
      const refused = answers.find(({ status }) => status === 429) ?? assert.fail('none was refused');
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 0 && seconds <= 100, String(seconds));
      assert.deepEqual(refused.body, {
        statusCode: 429,
        error: 'Too Many Requests',
        message: `Demasiadas solicitudes: espera ${seconds} s.`,
      });
      assert.equal((await call(gateway, '/api/session/sessions')).status, 200);
    });
  }

  test('is separate for each address that a trusted proxy names', async (t) => {
    const gateway = await startGateway(t, { sessions: SEEDS, trustProxy: ['127.0.0.0/8'] });
    const answers = await times(240, () => start(gateway, '198.51.100.1'));
    assert.ok(answers.some(({ status }) => status === 429));
    assert.equal((await start(gateway, '198.51.100.2')).status, 200);
  });

  test('is shared, whatever addresses a client claims', async (t) => {
    const gateway = await startGateway(t, { sessions: SEEDS });
    const answers = await times(240, (index) => start(gateway, `198.51.100.${index}`));
    assert.ok(answers.some(({ status }) => status === 429));
  });

  test('is not used up by clients without the token', async (t) => {
    const gateway = await startGateway(t, { sessions: SEEDS, token: 'un-token-de-prueba' });
    for (let i = 0; i < 21; i += 1) {
      await times(50, () => call(gateway, '/api/message', { method: 'OPTIONS' }));
      await times(50, () => call(gateway, '/api/session/sessions'));
    }
    const headers = { Authorization: 'Bearer un-token-de-prueba' };
    assert.equal((await call(gateway, '/api/session/sessions', { headers })).status, 200);
    assert.equal((await call(gateway, `/api/session/levanta/${NUMERO}`, { headers })).status, 200);
  });

  test('admits two hundred panels that reconnect at once', async (t) => {
    const gateway = await startGateway(t, { sessions: 50, token: 'un-token-de-prueba' });
    const headers = { Authorization: 'Bearer un-token-de-prueba' };
    const options = { auth: { token: 'un-token-de-prueba' } };
    let connections = 0;
    gateway.io.on('connection', () => {
      connections += 1;
    });
    const listeners = await times(200, () => Listener.connect(t, gateway, '/', options));
    for (const { socket } of listeners) socket.io.engine.close();
    const lists = await times(400, () => call(gateway, '/api/session/sessions', { headers }));
    assert.ok(lists.every(({ status }) => status === 200));
    await until(() => connections >= 400, 'all of them again');
  });

  test('applies to the list as well', async (t) => {
    const gateway = await startGateway(t);
    const statuses = new Set<number>();
    for (let i = 0; i < 200 && !statuses.has(429); i += 1) {
      for (const { status } of await times(100, () => call(gateway, '/api/session/sessions'))) {
        statuses.add(status);
      }
    }
    assert.deepEqual([...statuses], [200, 429]);
  });
});
