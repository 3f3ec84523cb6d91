import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { startPostgres } from './support/postgres.ts';

test('a drain ends by its limit even while the database is frozen, before whatever has no limit', async (t) => {
  const server = await startPostgres(t);
  const start = async () => startGateway(t, { cluster: clusterOn(await server.freshDatabase()) });
  const [limited, other] = [await start(), await start()];
  server.pause();
  const ended: string[] = [];
  const closed = other.close().then(() => ended.push('close'));
  await limited.drain(1_000).then(() => ended.push('drain'));
  assert.deepEqual(ended, ['drain']);
  server.resume();
  await closed;
});
