import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { until } from '../../../test/support/until.ts';
import { ConnectionError, checkUnpooled, connectPostgres, listen } from '../../src/ledger/database.ts';
import { databaseError } from '../../src/ledger/database-error.ts';
import { prepareTables } from '../../src/ledger/database-schema.ts';
import { type Postgres, startPostgres, verbatim } from '../cluster/support/postgres.ts';

const cleanups: (() => unknown)[] = [];
let server: Postgres;

before(async () => {
  server = await startPostgres({ after: (task) => cleanups.push(task) });
});

after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

async function connect(scope: Scope, url: string) {
  const database = await connectPostgres(url, { max: 2, name: 'test' });
  scope.after(() => database.end());
  return database;
}

describe('a database', () => {
  test('that crashes rejects what is under way, and takes the next statement when it is back', async (t) => {
    const database = await connect(t, await server.freshDatabase());
    const sleeps = [1, 2, 3].map(() => database.sql`SELECT pg_sleep(60)`.catch((error: unknown) => error));
    const running = () =>
      server.query((sql) => sql`SELECT FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)'`);
    await until(async () => (await running()).length >= 2, 'the statements to run');
    await server.restart();
    for (const error of await Promise.all(sleeps.slice(0, 2))) assert.ok(error instanceof Error);
    const isBack = async () => (await database.sql<{ one: number }>`SELECT 1 AS one`)[0]?.one === 1;
    await until(isBack, 'the database');
  });

  test('that is new takes all of the gateways that start on it at once', async (t) => {
    // Which of them meets the other in the middle of a statement is not in our hands.
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const url = await server.freshDatabase();
      const gateways = await Promise.all(Array.from({ length: 8 }, () => connect(t, url)));
      await Promise.all(gateways.map(({ sql }) => sql`SELECT`));
      await Promise.all(gateways.map(prepareTables));
      await Promise.all(gateways.map((gateway) => gateway.end()));
    }
  });

  test('behind a pooler is refused: two connections that share a process of the server', async (t) => {
    const url = await server.freshDatabase();
    const [one, other] = [await connect(t, url), await connect(t, url)];
    await checkUnpooled(one.sql, other.sql);
    const pooled: unknown = await checkUnpooled(one.sql, one.sql).catch((error: unknown) => error);
    assert.match(
      String(databaseError(url, pooled)),
      /^DatabaseError: A pooler at \S+ keeps .* \(POOLED\): name PostgreSQL itself/,
    );
    const refusal = Object.assign(new Error('unsupported startup parameter'), { code: '08P01' });
    assert.match(
      String(databaseError(url, refusal)),
      /^DatabaseError: A pooler at \S+ keeps .* \(08P01\): name PostgreSQL itself/,
    );
  });

  test('that is closed rejects what runs and what waits for a connection', async (t) => {
    const database = await connect(t, await server.freshDatabase());
    const failures = [1, 2, 3, 4].map(() =>
      database.sql`SELECT pg_sleep(60)`.catch((error: unknown) => error),
    );
    await database.end();
    for (const failure of await Promise.all(failures)) assert.ok(failure instanceof ConnectionError);
    await assert.rejects(database.sql`SELECT 1`, ConnectionError);
  });

  test('keeps nothing of a transaction that fails', async (t) => {
    const database = await connect(t, await server.freshDatabase());
    await database.sql`CREATE TABLE t (v int)`;
    const failed = database.begin(async (sql) => {
      await sql`INSERT INTO t VALUES (1)`;
      throw new Error('no');
    });
    await assert.rejects(failed, /no/);
    assert.deepEqual(await database.sql`SELECT v FROM t`, []);
  });

  test('of several hosts is reached though the first is down', async (t) => {
    const url = await server.freshDatabase();
    const hosts = url.replace('127.0.0.1:', `127.0.0.1:${await stablePort()},127.0.0.1:`);
    const database = await connect(t, hosts);
    assert.deepEqual(await database.sql`SELECT 1 AS one`, [{ one: 1 }]);
    const listener = await listen(
      hosts,
      'test',
      'c',
      () => {},
      () => {},
    );
    await listener.end();
  });

  test('that takes no writes is refused', async (t) => {
    const url = await server.freshDatabase();
    await server.query((sql) =>
      sql(
        verbatim(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only = on`),
      ),
    );
    const database = await connect(t, url);
    await assert.rejects(database.sql`SELECT 1`, { code: '25006' });
  });
});
