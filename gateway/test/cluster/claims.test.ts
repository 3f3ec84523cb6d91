import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { createSeeds } from '../../src/engines/simulated/seeds.ts';
import { claim, UNASSIGNED } from '../../src/ledger/session-rows.ts';
import { listOf, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { memberOf } from './support/member.ts';
import { freshDatabase } from './support/postgres.ts';
import { addNode, startTables } from './support/tables.ts';

test('a gateway that is alone owns every session, however many there are', async (t) => {
  const seeds = createSeeds(600).map(({ numero }) => ({ numero, state: 'connected' as const }));
  const cluster = clusterOn(await freshDatabase());
  const gateway = await startGateway(t, { sessions: seeds, speed: 100, cluster });
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

test('a claimed session is not connected before its new owner has connected it', async (t) => {
  const { url: database, sql } = await startTables(t);
  await sql`
    INSERT INTO session (id, numero, state, waiting) VALUES (${NUMERO}, ${NUMERO}, ${STATES.connected}, false)`;
  await claim(memberOf(sql, await addNode(sql)), 1);
  const gateway = await startGateway(t, { cluster: clusterOn(database) });
  assert.deepEqual(await listOf(gateway), [{ numero: NUMERO, state: UNASSIGNED, waiting: false }]);
});
