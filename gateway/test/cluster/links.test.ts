import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { call, itemOf, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn, SHORT_LEASE } from './support/lease.ts';
import { startPostgres } from './support/postgres.ts';

test('a valid link is not over while the database is away, within the lease and after it', async (t) => {
  const server = await startPostgres(t);
  const cluster = clusterOn(await server.freshDatabase(), { lease: SHORT_LEASE });
  const gateway = await startGateway(t, { cluster });
  // On a busy machine, its lease may end before: it joins again, and a start that was under way has ended.
  const isShown = async () => {
    const { state = STATES.disconnected, qrCode } = (await itemOf(gateway, NUMERO)) ?? {};
    if (state === STATES.disconnected) await call(gateway, `/api/session/levanta/${NUMERO}`);
    return qrCode;
  };
  await until(isShown, 'a code');
  const created = await until(async () => {
    const answer = await call(gateway, `/api/session/${NUMERO}/link`, { method: 'POST' });
    return answer.status === 200 ? answer : undefined;
  }, 'a link');
  const headers = { Authorization: `Bearer ${String(Object(created.body).url).split('#')[1]}` };
  const post = (name: string) => call(gateway, `/l/api/${name}`, { method: 'POST', headers });
  await server.stop();
  // Its lease ends while it tries again, and has ended then.
  for (const _ of ['within the lease', 'after it']) {
    const { status, body } = await post('pairing');
    assert.deepEqual(
      [status, Object(body).message],
      [503, 'El servidor no llega a su base de datos: inténtalo de nuevo en unos segundos.'],
    );
  }
  await server.start();
  await until(async () => (await post('start')).status < 500, 'the database to be there again');
});
