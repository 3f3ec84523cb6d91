import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { call, startGateway } from '../support/gateway.ts';
import { scrape } from '../support/scrape.ts';
import { clusterOn, LEASE } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';
import { beatNow, beatUntil, connectTables } from './support/tables.ts';

/** Starts a gateway of a database with metrics, and six sessions if there are none yet. */
async function start(t: TestContext, database: string, maxSessions?: number) {
  const cluster = clusterOn(database, { maxSessions });
  const gateway = await startGateway(t, { sessions: 6, metrics: true, cluster });
  const value = async (name: string) => (await scrape(gateway)).get(name) ?? assert.fail(`no ${name}`);
  return { gateway, value };
}

describe('the metrics of a gateway that shares its sessions', () => {
  test('count the gateways, and the sessions that move between them', async (t) => {
    const database = await freshDatabase();
    const first = await start(t, database);
    await until(
      async () => (await first.value('cluster_moves_total{direction="taken"}')) === 6,
      'all sessions',
    );
    assert.equal(await first.value('cluster_moves_total{direction="given"}'), 0);
    assert.equal(await first.value('cluster_lease_seconds'), LEASE);

    const { sql } = await connectTables(t, database);
    const second = await start(t, database);
    await beatUntil(
      sql,
      async () => (await second.value('cluster_moves_total{direction="taken"}')) === 3,
      'its share',
    );
    await until(async () => (await first.value('cluster_moves_total{direction="given"}')) === 3, 'its part');
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

  test('tell how long the last beat is ago, and what waits for the database', async (t) => {
    const database = await freshDatabase();
    const { gateway, value } = await start(t, database);
    const age = () => value('cluster_lease_age_seconds');
    const areWaiting = async () => (await value('cluster_statements_waiting')) > 0;
    const { sql, begin } = await connectTables(t, database);
    const calls: Promise<unknown>[] = [];
    await until(async () => !(await areWaiting()), 'no statement to wait');
    await begin(async (tx) => {
      await tx`LOCK TABLE session, node`;
      for (let i = 0; i < 10; i += 1) calls.push(call(gateway, `/api/session/levanta/3460000010${i}`));
      await until(areWaiting, 'statements that wait');
      await until(async () => (await age()) > 1, 'the last beat to be a second ago');
    });
    await Promise.all(calls);
    await until(async () => !(await areWaiting()), 'no statement to wait');
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
