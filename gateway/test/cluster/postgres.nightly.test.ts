import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { connectPostgres, type Sql } from '../../src/ledger/database.ts';
import { startLink } from './support/link.ts';
import { startPostgres } from './support/postgres.ts';

async function connect(scope: Scope, url: string): Promise<Sql> {
  const { sql, end } = await connectPostgres(url, { max: 1, name: 'test' });
  scope.after(end);
  return sql;
}

/** Whether a promise is still pending after a while. */
async function isPending(promise: PromiseLike<unknown>): Promise<boolean> {
  const late = Symbol('late');
  const timer = new Promise((resolve) => setTimeout(resolve, 300, late));
  return (await Promise.race([promise, timer])) === late;
}

const insert = async (sql: Sql, value: number) => sql`INSERT INTO t VALUES (${value})`;
const values = async (sql: Sql) => (await sql<{ v: number }>`SELECT v FROM t ORDER BY v`).map(({ v }) => v);

describe("the tests' PostgreSQL", () => {
  test('keeps what was committed across a crash, and answers late when it was frozen', async (t) => {
    const server = await startPostgres(t);
    const sql = await connect(t, await server.freshDatabase());
    await sql`CREATE TABLE t (v int)`;
    await insert(sql, 1);
    await server.restart();
    await until(async () => (await values(sql)).length === 1, 'the row after a crash');

    server.pause();
    const late = values(sql);
    assert.ok(await isPending(late));
    server.resume();
    assert.deepEqual(await late, [1]);

    const other = await connect(t, await server.freshDatabase());
    await assert.rejects(values(other), { code: '42P01' });
  });

  test('has a standby that takes over with all that was committed', async (t) => {
    const server = await startPostgres(t);
    const standby = await server.standby(t);
    const sql = await connect(t, server.url('postgres', standby));
    await sql`CREATE TABLE t (v int)`;
    await insert(sql, 1);
    await server.stop('immediate');
    await standby.promote();
    await until(async () => (await values(sql)).length === 1, 'the row at the standby');
    await insert(sql, 2);
    assert.deepEqual(await values(sql), [1, 2]);
  });

  test('is reached by a link that can be slow, freeze and break', async (t) => {
    const server = await startPostgres(t);
    const link = await startLink(t, server.port);
    const sql = await connect(t, link.url(server.url()));
    await sql`CREATE TABLE t (v int)`;

    link.slow(200);
    const begun = performance.now();
    await insert(sql, 1);
    assert.ok(performance.now() - begun >= 200);
    link.slow(0);

    link.freeze();
    const late = insert(sql, 2);
    assert.ok(await isPending(late));
    assert.deepEqual(await server.query(values), [1]);
    link.thaw();
    await late;
    assert.deepEqual(await server.query(values), [1, 2]);

    const sleeping = sql`SELECT pg_sleep(60)`.catch((error: NodeJS.ErrnoException) => error.code);
    await until(
      () =>
        server.query(
          async (own) =>
            (
              await own`SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`
            ).length,
        ),
      'the statement under way',
    );
    link.cut();
    assert.ok(['ECONNRESET', 'CONNECTION_LOST'].includes(String(await sleeping)));
    assert.deepEqual(await values(await connect(t, link.url(server.url()))), [1, 2]);
  });
});
