import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { postgresUser } from '../../../test/support/find-postgres.mjs';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { call, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { startLink } from './support/link.ts';
import { type Postgres, type Standby, startPostgres, verbatim } from './support/postgres.ts';
import { connectTables } from './support/tables.ts';

/** Who may do nothing, in the user info of a URL. */
const WEAK = 'weak:geheim';

const cleanups: (() => unknown)[] = [];
const scope: Scope = { after: (task) => void cleanups.push(task) };
let server: Postgres;
let standby: Standby;

before(async () => {
  server = await startPostgres(scope);
  standby = await server.standby(scope);
  await server.query((sql) => sql(verbatim(`CREATE ROLE weak LOGIN PASSWORD 'geheim'`)));
});

after(async () => {
  for (const cleanup of cleanups) await cleanup();
});

const start = (t: Scope, database: string) => startGateway(t, { cluster: clusterOn(database) });

const as = (user: string, url: string) => url.replace('postgres@', `${user}@`);

/** Asserts that a gateway does not start, and says why in one sentence without the password. */
async function refused(t: Scope, database: string, message: RegExp): Promise<void> {
  await assert.rejects(start(t, database), (error: unknown) => {
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'DatabaseError', error.stack);
    assert.match(error.message, message);
    assert.match(error.message, /^[A-Z][^\n]+\.$/);
    assert.doesNotMatch(error.message, /geheim/);
    return true;
  });
}

/** Replaces what the server's pg_hba.conf says. */
async function admit(lines: string): Promise<void> {
  const [row] = await server.query((sql) => sql<{ hba_file: string }>`SHOW hba_file`);
  writeFileSync(row?.hba_file ?? assert.fail('there is no pg_hba.conf'), lines);
  await server.query((sql) => sql`SELECT pg_reload_conf()`);
}

const TRUST = 'host all all 127.0.0.1/32 trust\nhost all all ::1/128 trust\nhost replication all all trust\n';

/** Has the server offer TLS; returns the file of its self-signed certificate, which is for localhost. */
async function offerTls({ url }: { url: string }): Promise<string> {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const files = ['-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate];
  execFileSync('openssl', [...request, ...files], { stdio: 'ignore' });
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(key, uid, gid);
  chmodSync(key, 0o600);
  const settings = { ssl_cert_file: certificate, ssl_key_file: key, ssl: 'on' };
  for (const [name, value] of Object.entries(settings)) {
    await server.query((sql) => sql(verbatim(`ALTER SYSTEM SET ${name} = '${value}'`)));
  }
  await server.query((sql) => sql`SELECT pg_reload_conf()`);
  const isOn = async () => {
    await (await connected(url, `?sslmode=no-verify`)).close();
    return true;
  };
  await until(isOn, 'TLS');
  return certificate;
}

const connected = (url: string, query: string) => start({ after: () => {} }, url + query);

describe('a gateway does not start', { concurrency: false }, () => {
  test('on a database that is not there', async (t) => {
    await refused(
      t,
      as(WEAK, server.url('nowhere')),
      /^There is no such database at 127\.0\.0\.1:\d+\/nowhere: /,
    );
    await refused(
      t,
      'postgres://weak:geheim@nowhere.invalid/db',
      /^The database at nowhere\.invalid\/db cannot be used \(\w+\)/,
    );
  });

  test('on a database that goes away meanwhile', async (t) => {
    const link = await startLink(t, server.port);
    const database = await server.freshDatabase();
    await inDatabase(
      database,
      `CREATE FUNCTION sleep() RETURNS event_trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(60); END $$;
      CREATE EVENT TRIGGER sleep ON ddl_command_start EXECUTE FUNCTION sleep()`,
    );
    const starting = refused(t, link.url(database), /cannot be used \((?:CONNECTION_LOST|ECONNRESET)\)/);
    await until(async () => (await asleep(database)) > 0, 'the gateway to create its tables');
    await link.close();
    await starting;
  });

  test('on one that takes no writes: read-only, or a standby alone', async (t) => {
    const url = await server.freshDatabase();
    const name = new URL(url).pathname.slice(1);
    await server.query((sql) =>
      sql(verbatim(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)),
    );
    await refused(t, as(WEAK, url), /takes no writes \(25006\): name the primary/);
    await refused(t, as(WEAK, standby.url()), /takes no writes \(25006\): name the primary/);
  });

  test('on one that cannot store every character', async (t) => {
    for (const encoding of ['LATIN1', 'SQL_ASCII']) {
      const url = await server.freshDatabase(encoding);
      await refused(
        t,
        as(WEAK, url),
        /cannot store every character: create one with createdb --encoding=UTF8/,
      );
    }
  });

  test('on one that is full', async (t) => {
    const url = await server.freshDatabase();
    await (await connected(url, '')).close();
    await fill(url, 'node');
    await refused(t, url, /^The database at .+ takes no writes \(53100\): /);
  });

  test('on the tables of another version', async (t) => {
    const url = await server.freshDatabase();
    await (await connected(url, '')).close();
    await inDatabase(url, 'UPDATE schema_version SET version = 9');
    await refused(
      t,
      url,
      /^The tables in the database are of another version .+: use that version, or choose an empty/,
    );
  });

  test('without the right to create tables, or to write', async (t) => {
    const url = await server.freshDatabase();
    await inDatabase(url, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await refused(t, as(WEAK, url), /may not do what the gateway needs \(42501\): make it the owner/);
    await (await connected(url, '')).close();
    await inDatabase(url, 'GRANT SELECT ON ALL TABLES IN SCHEMA public TO weak');
    await refused(t, as(WEAK, url), /may not do what the gateway needs \(42501\): make it the owner/);
  });

  test('with a wrong password, without one, or as nobody', async (t) => {
    t.after(() => admit(TRUST));
    await admit(`host all weak 127.0.0.1/32 scram-sha-256\n${TRUST}`);
    const url = await server.freshDatabase();
    await until(async () => {
      await refused(t, as('weak:geheimer', url), /does not let this user in \(28P01\)/);
      return true;
    }, 'the password to count');
    await refused(t, as('weak', url), /does not let this user in \(28P01\)/);
    await refused(t, as('nobody:geheim', url), /does not let this user in \(28000\)/);
  });

  test('where its server has no more connections', async (t) => {
    await server.query((sql) => sql`ALTER ROLE weak CONNECTION LIMIT 0`);
    t.after(() => server.query((sql) => sql`ALTER ROLE weak CONNECTION LIMIT -1`));
    await refused(t, as(WEAK, server.url()), /refuses what the gateway needs \(53300\): its log says why/);
  });

  test('with a certificate that does not fit, and with one that does', async (t) => {
    const url = await server.freshDatabase();
    await refused(t, `${as(WEAK, url)}?sslmode=require`, /^TLS with the database at .+ fails \(NO_TLS\): /);
    const certificate = await offerTls({ url });
    const byName = url.replace('127.0.0.1', 'localhost');
    const trusting = `?sslmode=verify-full&sslrootcert=${certificate}`;
    await refused(t, `${byName}?sslmode=verify-full`, /^TLS with the database at .+ fails \(DEPTH_ZERO/);
    await refused(t, url + trusting, /^TLS with the database at .+ fails \(ERR_TLS_CERT_ALTNAME/);
    await refused(
      t,
      `${url}?sslmode=verify-full&sslrootcert=/no/file`,
      /^TLS with the database at .+ fails \(ENOENT\): /,
    );
    for (const query of [trusting, trusting.replace('verify-full', 'require'), '?sslmode=disable']) {
      await (await connected(byName, query)).close();
    }
    t.after(() => admit(TRUST));
    await admit(`hostssl all weak 127.0.0.1/32 trust\nhostnossl all weak all reject\n${TRUST}`);
    await until(async () => {
      await refused(t, as(WEAK, url), /does not let this user in \(28000\): .+ sslmode /);
      return true;
    }, 'TLS to be required');
  });
});

describe('a gateway starts', () => {
  test('on the host that takes writes, behind dead ones and standbys', async (t) => {
    const url = await server.freshDatabase();
    const hosts = `127.0.0.1:1,127.0.0.1:${standby.port},127.0.0.1:${server.port}`;
    const gateway = await start(t, url.replace(`127.0.0.1:${server.port}`, hosts));
    assert.equal((await call(gateway, `/api/session/levanta/${NUMERO}`)).status, 200);
    assert.equal((await call(gateway, '/readyz')).status, 200);
  });
});

test('a connection that breaks during a statement rejects it, and the next one works', async (t) => {
  const link = await startLink(t, server.port);
  const database = await connectTables(t, link.url(server.url()));
  const sleeping = database.sql`SELECT pg_sleep(60)`;
  const transaction = database.begin((tx) => tx`SELECT pg_sleep(60)`);
  await until(async () => (await asleep(server.url())) === 2, 'the statements');
  link.cut();
  for (const broken of [sleeping, transaction]) {
    await assert.rejects(broken, ({ code }: NodeJS.ErrnoException) =>
      /ECONNRESET|CONNECTION_LOST/.test(code ?? ''),
    );
  }
  assert.deepEqual(await database.sql`SELECT 1 AS one`, [{ one: 1 }]);
});

/** How many statements sleep in a database. */
async function asleep(url: string): Promise<number> {
  const name = new URL(url).pathname.slice(1);
  const rows = await server.query(
    (sql) => sql`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = ${name}`,
  );
  return rows.length;
}

/** Has every new or changed row of a table fail as on a full disk. */
async function fill(url: string, table: string): Promise<void> {
  await inDatabase(
    url,
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION fail()`,
  );
}

function inDatabase(url: string, statement: string): Promise<unknown> {
  return server.query((sql) => sql(verbatim(statement)), new URL(url).pathname.slice(1));
}
