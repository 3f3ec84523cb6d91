import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { createSeeds } from '../../src/engines/simulated/seeds.ts';
import { claim, MOST_AT_ONCE, UNASSIGNED } from '../../src/ledger/session-rows.ts';
import { listOf, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { memberOf } from './support/member.ts';
import { addNode, startTables } from './support/tables.ts';

test('a gateway that is alone owns every session, however many there are', async (t) => {
  const { url: database, sql } = await startTables(t);
  const numeros = createSeeds(1.2 * MOST_AT_ONCE).map(({ numero }) => numero);
  await sql`
    INSERT INTO session (id, numero, state, waiting)
    SELECT numero, numero, ${STATES.disconnected}, false FROM unnest(${numeros}::text[]) AS numero`;
  const gateway = await startGateway(t, { cluster: clusterOn(database) });
  const areOwned = async () => {
    const [row] = await sql<{ free: number }>`
      SELECT count(*)::int AS free FROM session WHERE owner IS NULL`;
    return row?.free === 0;
  };
  await until(areOwned, 'every session to have an owner');
  assert.deepEqual(
    (await listOf(gateway)).map(({ numero }) => numero),
    numeros,
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
