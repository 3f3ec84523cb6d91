import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { PLAIN } from '../../src/ledger/cipher.ts';
import { agree } from '../../src/ledger/cluster-row.ts';
import { connect, end } from '../../src/ledger/database.ts';
import { databaseDoctor } from '../../src/ledger/database-doctor.ts';
import { prepareTables } from '../../src/ledger/database-schema.ts';
import { freshDatabase, sharedPostgres, verbatim } from '../cluster/support/postgres.ts';
import { connectTables } from '../cluster/support/tables.ts';
import { built } from '../support/built.ts';
import { run } from '../support/command.ts';

const NOT_UTF8 =
  /^The database at \S+ cannot store every character: create one with createdb --encoding=UTF8 --locale=C --template=template0,/;

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** Changes a database, by a statement with its name in the place of `$`. */
async function alter(url: string, statement: string): Promise<void> {
  const server = await sharedPostgres();
  await server.query((sql) => sql(verbatim(statement.replace('$', nameOf(url)))));
}

/** Creates a database as docs/cluster.md says. */
async function startDatabase(): Promise<string> {
  const url = await freshDatabase();
  await alter(url, 'REVOKE CONNECT ON DATABASE $ FROM PUBLIC');
  return url;
}

/** Returns what is not well. */
async function faultsOf(url: string): Promise<string[]> {
  const { lines, isWell } = await databaseDoctor(url);
  const faults = lines.filter((line) => !line.startsWith('ok     '));
  assert.equal(isWell, faults.length === 0);
  return faults.map((line) => line.replace(/^wrong {2}/, ''));
}

async function openLink(scope: Scope, url: string): Promise<void> {
  const link = await connect(url);
  scope.after(() => end(link));
  await link.beats.sql`SELECT`;
}

test('a database as documented is found well, before and after its first gateway', async (t) => {
  const url = await startDatabase();
  const { lines, isWell } = await databaseDoctor(url);
  assert.match(lines[0] ?? '', /^ok {5}Gateway \d+\.\d+\.\d+, schema \d+, Node \d+\.\d+\.\d+\.$/);
  assert.match(lines[1] ?? '', /^ok {5}PostgreSQL \d+\S*.* answers, and takes writes\.$/);
  assert.match(
    lines[5] ?? '',
    /^ok {5}Gateways that run: 0, each with up to 6 connections; the server has \d+/,
  );
  assert.deepEqual(lines.slice(2).toSpliced(3, 1), [
    'ok     No gateway has used the database yet: the first one creates its tables.',
    'ok     All timeouts of the server are long enough.',
    'ok     Keys are on the disk once they are confirmed.',
    'ok     The clock agrees with that of the database.',
    'ok     Only named roles may connect to the database.',
  ]);
  assert.equal(isWell, true);
  const database = await connectTables(t, url);
  await prepareTables(database);
  await agree(database, 'whatsapp', PLAIN);
  await openLink(t, url);
  const after = (await databaseDoctor(url)).lines.join('\n');
  assert.match(after, /The tables have schema \d+\.\n/);
  assert.match(after, /Gateways that run: 1,/);
});

test('a database that cannot be used is one fault', async () => {
  assert.deepEqual(await faultsOf('postgres://postgres@127.0.0.1:9/none'), [
    'The database at 127.0.0.1:9/none cannot be used (ECONNREFUSED): see that it runs and can be reached from here.',
  ]);
  const url = await startDatabase();
  await alter(url, 'ALTER DATABASE $ SET default_transaction_read_only = on');
  assert.match(
    (await faultsOf(url)).join(),
    /^The database at \S+ takes no writes \(25006\): name the primary/,
  );
  assert.match((await faultsOf(await freshDatabase('LATIN1'))).join(), NOT_UTF8);
});

test('each setting that does harm is a fault', async () => {
  const url = await startDatabase();
  for (const setting of ["idle_session_timeout = '1h'", "lock_timeout = '1s'", 'synchronous_commit = off']) {
    await alter(url, `ALTER DATABASE $ SET ${setting}`);
  }
  await alter(url, "ALTER DATABASE $ SET idle_in_transaction_session_timeout = '1min'");
  assert.deepEqual(await faultsOf(url), [
    'The server ends what the gateways need, by idle_session_timeout = 3600000 ms, lock_timeout = 1000 ms: set it to 0 with ALTER ROLE … SET for their role.',
    'With synchronous_commit = off, a crash loses the last keys, and messages cannot be decrypted: set it to on.',
  ]);
});

test('too few connections are a fault', async (t) => {
  const url = await startDatabase();
  await alter(url, 'ALTER DATABASE $ CONNECTION LIMIT 11');
  assert.deepEqual(await faultsOf(url), []);
  await openLink(t, url);
  await openLink(t, url);
  assert.deepEqual(await faultsOf(url), [
    'Gateways that run: 2, each with up to 6 connections; the server has 11 for them: raise max_connections, or the limit of the role or the database.',
  ]);
});

test('tables of another version, and a user who may not create any, are faults', async (t) => {
  const url = await startDatabase();
  const database = await connectTables(t, url);
  await prepareTables(database);
  await database.sql`UPDATE schema_version SET version = 9`;
  assert.match(
    (await faultsOf(url)).join(),
    /^The tables in the database are of another version .*: use that version, or choose an empty/,
  );

  const role = `reader_of_${nameOf(url)}`;
  await alter(url, `CREATE ROLE ${role} LOGIN`);
  await alter(url, `GRANT CONNECT ON DATABASE $ TO ${role}`);
  await database.sql`REVOKE CREATE ON SCHEMA public FROM PUBLIC`;
  assert.deepEqual(await faultsOf(url.replace('postgres@', `${role}@`)), [
    'The user may not create tables in the database: make it the owner of the database.',
  ]);
});

test('the command says what is wrong, by exit code too', async (t) => {
  const url = await freshDatabase();
  const begun = performance.now();
  const { output, ended } = run(t, ['doctor'], {
    env: { WO_DATABASE: url, WO_TEST_HOURS: '-1' },
    imports: built('test/preloads/shifted-clock'),
  });
  assert.equal(await ended, 1, output.stderr);
  const faults = output.stdout.split('\n').filter((line) => line.startsWith('wrong'));
  const [, behind] =
    faults[0]?.match(/^wrong {2}The clock is (\d+) s behind that of the database: set both/) ?? [];
  const passed = (performance.now() - begun) / 1_000;
  assert.ok(Number(behind) <= 3_600 && Number(behind) >= 3_599 - passed, faults[0]);
  assert.match(faults[1] ?? '', /^wrong {2}Every role of the database server may connect .*REVOKE CONNECT/);
  assert.equal(faults.length, 2);
});
