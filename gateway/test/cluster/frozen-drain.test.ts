import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { startPostgres } from './support/postgres.ts';

/** In milliseconds. */
const LIMIT = 3_000;

test('a drain ends within its limit even while the database is frozen', async (t) => {
  const server = await startPostgres(t);
  const gateway = await startGateway(t, { cluster: { database: await server.freshDatabase() } });
  server.pause();
  const begun = performance.now();
  await gateway.drain(LIMIT);
  const time = performance.now() - begun;
  server.resume();
  assert.ok(time < LIMIT + 500, `${Math.round(time)} ms`);
});
