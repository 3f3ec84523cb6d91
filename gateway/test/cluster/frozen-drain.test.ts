import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { startPostgres } from './support/postgres.ts';

/** In milliseconds. */
const LIMIT = 1_000;
const BEAT = 50;

test('a drain ends within its limit even while the database is frozen', async (t) => {
  const server = await startPostgres(t);
  const gateway = await startGateway(t, { cluster: clusterOn(await server.freshDatabase()) });
  server.pause();
  let time = 0;
  // When this process stalls, so do its intervals.
  const beats = setInterval(() => {
    time += BEAT;
  }, BEAT);
  await gateway.drain(LIMIT);
  clearInterval(beats);
  server.resume();
  assert.ok(time < LIMIT + 500, `${time} ms`);
});
