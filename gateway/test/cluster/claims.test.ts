import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { createSeeds } from '../../src/engines/simulated/seeds.ts';
import { listOf, startGateway } from '../support/gateway.ts';
import { sharedPostgres } from './support/postgres.ts';

test('a gateway that is alone owns every session, however many there are', async (t) => {
  const seeds = createSeeds(1_200).map(({ numero }) => ({ numero, state: 'connected' as const }));
  const database = await (await sharedPostgres()).freshDatabase();
  const gateway = await startGateway(t, { sessions: seeds, speed: 100, cluster: { database } });
  const areConnected = async () => {
    const list = await listOf(gateway);
    return list.length === seeds.length && list.every(({ state }) => state === STATES.connected);
  };
  await until(areConnected, 'every session to be connected');
  assert.deepEqual(
    (await listOf(gateway)).map(({ numero }) => numero),
    seeds.map(({ numero }) => numero),
  );
});
