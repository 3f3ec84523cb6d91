import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { call, listOf, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase, verbatim } from './support/postgres.ts';
import { beatUntil, connectTables } from './support/tables.ts';

test('gateways go on, and more of them start, when a later version has added to the tables', async (t) => {
  const database = await freshDatabase();
  const { sql } = await connectTables(t, database);
  const query = (statement: string) => sql(verbatim(statement));
  const start = (sessions = 0) => startGateway(t, { sessions, cluster: clusterOn(database) });
  // So many that four of them own the same number each.
  const gateways = [await start(8), await start(), await start()];

  // As the first gateway of the next version does: it expands, and says who can still work with that.
  await query(`
    BEGIN;
    ALTER TABLE session ADD COLUMN label text;
    ALTER TABLE key ADD COLUMN written timestamptz DEFAULT now();
    ALTER TABLE node ADD COLUMN zone text;
    CREATE TABLE note (session text REFERENCES session ON DELETE CASCADE, state text);
    UPDATE schema_version SET version = 9, compatible = 2;
    COMMIT`);
  await query(`UPDATE session SET label = 'Ventas'`);
  await query(`SELECT pg_notify('whatsapp_operadores', '{"type":"labels","labels":["Ventas"]}')`);

  gateways.push(await start());
  const everywhere = (count: number) =>
    until(async () => {
      const lists = await Promise.all(gateways.map(listOf));
      return lists.every(({ length }) => length === count);
    }, `${count} sessions at every gateway`);
  const [first, second] = gateways;
  assert.ok(first && second);
  assert.equal((await call(first, `/api/session/levanta/${NUMERO}`)).status, 200);
  await everywhere(9);
  assert.equal((await call(second, `/api/session/${NUMERO}`, { method: 'DELETE' })).status, 204);
  await everywhere(8);
  const owners = () => query('SELECT DISTINCT owner FROM session WHERE owner IS NOT NULL');
  // Most of the sessions are still being started, and stay where they are until then.
  await beatUntil(sql, async () => (await owners()).length === 4, 'even shares');
  const labels = await query('SELECT label FROM session');
  assert.deepEqual(new Set(labels.map(({ label }) => label)), new Set(['Ventas']));
  assert.deepEqual(await query('SELECT version, compatible FROM schema_version'), [
    { version: 9, compatible: 2 },
  ]);
});
