import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PATIENCE } from '../../test/support/patience.ts';
import { until } from '../../test/support/until.ts';
import { call, NUMERO, startGateway } from './support/gateway.ts';

const TOKEN = 'a-token-of-the-test';

describe('the state of the gateway', () => {
  test('is served without a token, and without details', async (t) => {
    const gateway = await startGateway(t, { token: TOKEN });
    for (const path of ['/healthz', '/readyz']) {
      const { status, body, headers } = await call(gateway, path);
      assert.equal(status, 200);
      assert.deepEqual(body, { status: 'ok' });
      assert.equal(headers.get('cache-control'), 'no-store');
    }
  });

  test('is not served to pages of other origins', async (t) => {
    const gateway = await startGateway(t);
    for (const path of ['/healthz', '/readyz']) {
      const { status } = await call(gateway, path, { headers: { Origin: 'https://other.example' } });
      assert.equal(status, 403);
    }
  });

  test('is not ready, but answers, while it drains', async (t) => {
    const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
    gateway.phones.setFault(NUMERO, 'slow-delete');
    const deletion = call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    await until(() => gateway.phones.get(NUMERO)?.state === 'closing', 'the deletion to begin');
    const drained = gateway.drain(PATIENCE);
    const { status, body } = await call(gateway, '/readyz');
    assert.equal(status, 503);
    assert.deepEqual(body, {
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'El servidor no está listo.',
    });
    assert.equal((await call(gateway, '/healthz')).status, 200);
    gateway.phones.setFault(NUMERO, null);
    assert.equal((await deletion).status, 204);
    await drained;
  });
});
