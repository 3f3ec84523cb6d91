import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Cipher, cipherOf, PLAIN } from '../../src/ledger/cipher.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { cipherOfFile } from '../../src/ledger/key-file.ts';
import { rekeyDatabase } from '../../src/ledger/rekey.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { connectSessions, dumpOf, joinAlone, openShared } from './support/postgres-sessions.ts';
import { addLinked, CONTENT, contentOf, LEAVING, makeKey, NUMEROS, SECRET } from './support/stores.ts';

const [NUMERO, OTHER] = NUMEROS;
const AB = cipherOf(Buffer.from('ab'.repeat(32), 'hex'));

async function database(t: Scope, cipher: Cipher) {
  const url = await freshDatabase();
  const shared = await connectSessions(url, cipher);
  t.after(() => shared.end());
  return { url, ...shared };
}

test('the key of a database can be changed while no gateway runs', async (t) => {
  const parent = temporaryFolder();
  const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
  const { url, sql } = await database(t, AB);
  const store = await openShared(await joinAlone({ sql }), AB);
  for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
  await store.leave(LEAVING);
  const refused = (change: Promise<unknown>, message: RegExp) =>
    assert.rejects(change, { name: 'DatabaseError', message });
  const before = await dumpOf(sql);
  await refused(rekeyDatabase(url, old, fresh), /^Gateways are running on the database: stop all/);
  await sql`DELETE FROM node`;
  const free = await dumpOf(sql);
  await refused(
    rekeyDatabase(url, fresh, old),
    /^The database is encrypted with the key \w{8}, not \w{8}: name/,
  );
  assert.equal(await dumpOf(sql), free);
  const { id } = cipherOfFile(fresh);
  assert.deepEqual(await rekeyDatabase(url, old, fresh), { sessions: 3, key: id });
  const after = await dumpOf(sql);
  for (const value of valuesIn(before)) assert.ok(!after.includes(value));
  const again = await openShared(await joinAlone({ sql }), cipherOfFile(fresh));
  assert.deepEqual(await contentOf(again), CONTENT);
  await sql`DELETE FROM node`;
  await sql`UPDATE key SET value = 'AAAA' WHERE session = ${OTHER} AND type = 'device-list'`;
  const damaged = await dumpOf(sql);
  await refused(
    rekeyDatabase(url, fresh, old),
    /^A value in the database is damaged, or was encrypted with another key file\.$/,
  );
  assert.equal(await dumpOf(sql), damaged);
});

function valuesIn(dump: string): string[] {
  const rows: unknown = JSON.parse(dump);
  assert.ok(Array.isArray(rows));
  const values = rows.flat().flatMap((row) => (row.value === undefined ? [] : [String(row.value)]));
  assert.ok(values.length > 0);
  return values;
}

test('a database without a key can be given one', async (t) => {
  const { url, sql } = await database(t, PLAIN);
  const store = await openShared(await joinAlone({ sql }));
  for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
  await store.leave(LEAVING);
  assert.ok((await filesOf(sql)).includes(SECRET));
  await sql`DELETE FROM node`;
  await rekeyDatabase(url, undefined, makeKey(temporaryFolder(), 'ab'));
  assert.ok(!(await filesOf(sql)).includes(SECRET));
  assert.deepEqual(await contentOf(await openShared(await joinAlone({ sql }), AB)), CONTENT);
});

/** Returns the files of the tables with values, which also have rows that were replaced. */
async function filesOf(sql: Sql): Promise<string> {
  await sql`CHECKPOINT`;
  const files = await sql<{ content: Buffer }>`
    SELECT pg_read_binary_file(pg_relation_filepath(name::regclass)) AS content
    FROM unnest(ARRAY['key', 'archive', 'told']) AS name`;
  return files.map(({ content }) => content.toString('latin1')).join('');
}

test('unlinking erases the keys, and keeps the archive', async (t) => {
  const { sql } = await database(t, PLAIN);
  const store = await openShared(await joinAlone({ sql }));
  await addLinked(store, NUMERO);
  await store.erase(NUMERO);
  assert.equal((await sql`SELECT FROM key`).length, 0);
  const next = await openShared(await joinAlone({ sql }));
  assert.deepEqual(next.profile(NUMERO), CONTENT[0]?.profile);
  assert.equal((await next.history(NUMERO, 10)).length, 1);
});
