import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Cipher, cipherOf, PLAIN } from '../../src/ledger/cipher.ts';
import { cipherOfFile } from '../../src/ledger/key-file.ts';
import { listDatabase } from '../../src/ledger/list.ts';
import { migrateStore } from '../../src/ledger/migrate.ts';
import { rekeyDatabase } from '../../src/ledger/rekey.ts';
import { sealerOf } from '../../src/ledger/sealer.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { connectSessions, dumpOf, joinAlone, openShared } from './support/postgres-sessions.ts';
import {
  addLinked,
  CONTENT,
  contentOf,
  LEAVING,
  makeKey,
  NUMEROS,
  openSessions,
  SECRET,
} from './support/stores.ts';

const [, OTHER] = NUMEROS;
const AB = cipherOf(Buffer.from('ab'.repeat(32), 'hex'));

async function database(t: Scope, cipher: Cipher) {
  const url = await freshDatabase();
  const shared = await connectSessions(url, cipher);
  t.after(() => shared.end());
  return { url, ...shared };
}

/** Fills a database beside a gateway of an earlier version, which then leaves. */
async function fillEarlier(t: Scope, cipher: Cipher) {
  const { url, sql } = await database(t, cipher);
  await sql`UPDATE schema_version SET compatible = 1`;
  const member = await joinAlone({ sql });
  await sql`INSERT INTO node (id, url, version, lease) VALUES (gen_random_uuid(), 'http://127.0.0.1:2', '0', 15)`;
  const store = await openShared(member, cipher);
  for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
  await store.leave(LEAVING);
  return { url, sql, store, member };
}

const secretsOf = async (sql: Awaited<ReturnType<typeof database>>['sql']) =>
  (await sql<{ secret: string | null }>`SELECT secret FROM session ORDER BY place`).map(
    ({ secret }) => secret,
  );

describe('a database with gateways of an earlier version', () => {
  for (const cipher of [PLAIN, AB]) {
    test(`keeps the form that they read, and is converted once they are gone (key: ${cipher.id})`, async (t) => {
      const { url, sql, store, member } = await fillEarlier(t, cipher);
      assert.deepEqual(await secretsOf(sql), [null, null, null]);
      const [row] = await sql<{
        value: string;
      }>`SELECT value FROM key WHERE type = 'device-list' AND id = 'contact' AND session = ${NUMEROS[0]}`;
      const opened = sealerOf(cipher, NUMEROS[0], null).open('key', {
        type: 'device-list',
        id: 'contact',
        value: row?.value ?? '',
      });
      assert.equal(opened.value, `["${SECRET}"]`);
      // Another one, and a gateway that starts beside them.
      await (await connectSessions(url, cipher)).end();
      assert.deepEqual(await contentOf(await openShared(member, cipher)), CONTENT);
      assert.deepEqual(await secretsOf(sql), [null, null, null]);

      await sql`DELETE FROM node WHERE version = '0'`;
      await (await connectSessions(url, cipher)).end();
      const next = await openShared(await joinAlone({ sql }), cipher);
      assert.deepEqual(await contentOf(next), CONTENT);
      assert.ok((await secretsOf(sql)).every((secret) => secret !== null));
      const dump = await dumpOf(sql);
      for (const text of [SECRET, 'noiseKey', 'contact']) assert.ok(!dump.includes(text), text);
      await assert.rejects(store.describe(NUMEROS[0], {}), { code: 'NOT_OWNER' });
      assert.deepEqual(await contentOf(await openShared(await joinAlone({ sql }), cipher)), CONTENT);
    });
  }

  test('can be listed, and moved to a folder', async (t) => {
    const { url, sql } = await fillEarlier(t, PLAIN);
    const phones = (await listDatabase(url)).map(({ phone }) => phone);
    assert.deepEqual(phones, [...NUMEROS, LEAVING]);
    await sql`DELETE FROM node`;
    const folder = `${temporaryFolder()}/data`;
    await migrateStore({ to: 'data', folder, database: url });
    const store = await openSessions(folder);
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), CONTENT);
    assert.deepEqual(await secretsOf(sql), [null, null, null]);
  });
});

test('the key of a database can be changed while no gateway runs', async (t) => {
  const parent = temporaryFolder();
  const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
  const { url, sql } = await database(t, AB);
  const store = await openShared(await joinAlone({ sql }), AB);
  for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
  await store.leave(LEAVING);
  const before = await secretsOf(sql);
  const refused = (change: Promise<unknown>, message: RegExp) =>
    assert.rejects(change, { name: 'DatabaseError', message });
  await refused(rekeyDatabase(url, old, fresh), /^Gateways are running on the database: stop all/);
  await sql`DELETE FROM node`;
  await refused(
    rekeyDatabase(url, fresh, old),
    /^The database is encrypted with the key \w{8}, not \w{8}: name/,
  );
  assert.deepEqual(await secretsOf(sql), before);
  const { id } = cipherOfFile(fresh);
  assert.deepEqual(await rekeyDatabase(url, old, fresh), { sessions: 3, key: id, unfinished: undefined });
  for (const secret of await secretsOf(sql)) assert.ok(!before.includes(secret));
  const again = await openShared(await joinAlone({ sql }), cipherOfFile(fresh));
  assert.deepEqual(await contentOf(again), CONTENT);
  await sql`DELETE FROM node`;
  await sql`UPDATE session SET secret = 'AAAA' WHERE numero = ${OTHER}`;
  const after = await secretsOf(sql);
  await refused(
    rekeyDatabase(url, fresh, old),
    /^A key in the database is damaged, or was encrypted with another key file\.$/,
  );
  assert.deepEqual(await secretsOf(sql), after);
});

test('a key that was changed while old secrets could not be removed is reported as changed', async (t) => {
  const parent = temporaryFolder();
  const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
  const { url, sql, begin } = await database(t, AB);
  await sql`
    DO 'BEGIN EXECUTE format(''ALTER DATABASE %I SET lock_timeout = 100'', current_database()); END'`;
  await begin(async (tx) => {
    // Like a backup that is being made.
    await tx`LOCK TABLE session IN ACCESS SHARE MODE`;
    assert.deepEqual(await rekeyDatabase(url, old, fresh), {
      sessions: 0,
      key: cipherOfFile(fresh).id,
      unfinished: 'Old secrets may still be in the database (55P03): run VACUUM FULL session, told there.',
    });
  });
});

test('unlinking destroys the key of the keys, and keeps the archive', async (t) => {
  const { sql } = await database(t, PLAIN);
  const store = await openShared(await joinAlone({ sql }));
  await addLinked(store, NUMEROS[0]);
  const before = await secretsOf(sql);
  await store.erase(NUMEROS[0]);
  assert.notDeepEqual(await secretsOf(sql), before);
  assert.equal((await sql`SELECT FROM key`).length, 0);
  const next = await openShared(await joinAlone({ sql }));
  assert.deepEqual(next.profile(NUMEROS[0]), CONTENT[0]?.profile);
  assert.equal((await next.history(NUMEROS[0], 10)).length, 1);
});
