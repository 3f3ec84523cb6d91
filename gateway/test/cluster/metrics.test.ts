import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { startGateway } from '../support/gateway.ts';
import { scrape } from '../support/scrape.ts';
import { clusterOn, LEASE } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';
import { beatNow, connectTables } from './support/tables.ts';

/** Starts a gateway of a database with metrics, and six sessions if there are none yet. */
async function start(t: TestContext, database: string, maxSessions?: number) {
  const cluster = clusterOn(database, { maxSessions });
  const gateway = await startGateway(t, { sessions: 6, metrics: true, cluster });
  const value = async (name: string) => (await scrape(gateway)).get(name) ?? assert.fail(`no ${name}`);
  return { value };
}

describe('the metrics of a gateway that shares its sessions', () => {
  test('count the gateways', async (t) => {
    const database = await freshDatabase();
    const first = await start(t, database);
    assert.equal(await first.value('cluster_lease_seconds'), LEASE);
    const { sql } = await connectTables(t, database);
    const second = await start(t, database);
    await beatNow(sql);
    for (const { value } of [first, second]) {
      await until(async () => (await value('cluster_nodes')) === 2, 'both gateways');
      await until(async () => (await value('cluster_unassigned')) === 0, 'both figures');
    }
  });

  test('count the sessions that no gateway has room for', async (t) => {
    const { value } = await start(t, await freshDatabase(), 2);
    await until(async () => (await value('cluster_unassigned')) === 4, 'the rest');
  });

  test('tell how long the last beat is ago', async (t) => {
    const database = await freshDatabase();
    const { value } = await start(t, database);
    const age = () => value('cluster_lease_age_seconds');
    const { sql, begin } = await connectTables(t, database);
    await begin(async (tx) => {
      await tx`LOCK TABLE node`;
      await until(async () => (await age()) > 1, 'the last beat to be a second ago');
    });
    const begun = performance.now();
    await beatNow(sql);
    await until(async () => (await age()) * 1_000 < performance.now() - begun, 'another beat');
  });
});

test('a gateway of its own has no such metrics', async (t) => {
  const gateway = await startGateway(t, { metrics: true });
  assert.deepEqual(
    [...(await scrape(gateway)).keys()].filter((name) => name.startsWith('cluster_')),
    [],
  );
});
