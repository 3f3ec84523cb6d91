import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PATIENCE } from '../../test/support/patience.ts';
import { until } from '../../test/support/until.ts';
import { address, run } from './support/command.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';

const OTHER = '34600000001';
const SESSIONS = [
  { numero: NUMERO, state: 'connected' },
  { numero: OTHER, state: 'connected' },
] as const;
const REFUSAL = {
  statusCode: 503,
  error: 'Service Unavailable',
  message: 'El servidor se está deteniendo: inténtalo de nuevo en unos segundos.',
};

describe('a gateway that drains', () => {
  test('finishes a deletion, refuses starts and messages, and answers everything', async (t) => {
    const gateway = await startGateway(t, { sessions: SESSIONS });
    const panel = await Listener.connect(t, gateway);
    gateway.phones.setFault(NUMERO, 'slow-delete');
    const deletion = call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    await panel.heard('session:change_state');

    const drained = gateway.drain(PATIENCE);
    for (const refused of [
      await call(gateway, '/api/session/levanta/5215550002222'),
      await call(gateway, `/api/session/levanta/${OTHER}`),
      await call(gateway, '/api/message', { method: 'POST', body: message(OTHER, [34600000009]) }),
    ]) {
      assert.deepEqual(refused.body, REFUSAL);
      assert.equal(refused.headers.get('retry-after'), '20');
    }
    gateway.phones.setFault(NUMERO, null);
    assert.equal((await deletion).status, 204);
    await drained;
    await assert.rejects(call(gateway, '/healthz'));
    assert.equal(gateway.phones.get('34600000009'), undefined);
  });

  test('ends at its limit if something hangs', async (t) => {
    const gateway = await startGateway(t, { sessions: SESSIONS });
    const panel = await Listener.connect(t, gateway, '/', { reconnection: false });
    gateway.phones.setFault(NUMERO, 'slow-delete');
    const cut = assert.rejects(call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' }));
    await panel.heard('session:change_state');
    const begun = performance.now();
    await gateway.drain(2_500);
    // Less what timers round.
    assert.ok(performance.now() - begun > 490);
    await cut;
    await until(() => !panel.socket.connected, 'the end of the connection');
  });

  test('ends, however often it is stopped', async (t) => {
    const gateway = await startGateway(t, { sessions: SESSIONS });
    await Promise.all([gateway.drain(), gateway.drain(), gateway.close()]);
    await gateway.drain();
    await assert.rejects(call(gateway, '/healthz'));
  });

  test('ends at once with a second signal', async (t) => {
    const gateway = run(t, ['--port', '0', '--sessions', '1']);
    const url = await address(gateway);
    const panel = await Listener.connect(t, { url }, '/', { reconnection: false });
    await call({ url }, `/api/session/levanta/${NUMERO}`);
    const slow = { method: 'POST', body: { fault: 'slow-delete' } };
    assert.equal((await call({ url }, `/simulator/phones/${NUMERO}/fault`, slow)).status, 204);
    const deletion = assert.rejects(call({ url }, `/api/session/${NUMERO}`, { method: 'DELETE' }));
    await until(
      () => panel.pushes.some(([, state]) => JSON.stringify(state ?? '').includes('CERRANDO')),
      'it',
    );

    const again = setInterval(() => gateway.child.kill('SIGTERM'), 200);
    t.after(() => clearInterval(again));
    // The first one alone would have it end with 0, at the limit.
    assert.equal(await gateway.ended, 143);
    await deletion;
  });
});
