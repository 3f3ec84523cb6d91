import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { openNotices } from '../../src/cluster/notices.ts';
import { answerTo } from '../../src/http/sentences.ts';
import { cipherOf, PLAIN } from '../../src/ledger/cipher.ts';
import { agree } from '../../src/ledger/cluster-row.ts';
import { connectPostgres, type Database, listen, type Sql } from '../../src/ledger/database.ts';
import { databaseError } from '../../src/ledger/database-error.ts';
import { prepareTables } from '../../src/ledger/database-schema.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { Postgres } from '../../src/ledger/postgres.ts';
import { CREDENTIALS } from '../../src/ledger/row.ts';
import { CHANNEL, type Membership } from '../../src/ledger/session-rows.ts';
import { NotOwnerError, StoreError } from '../../src/ledger/store-error.ts';
import { CIPHER } from '../cluster/support/member.ts';
import { freshDatabase, startPostgres } from '../cluster/support/postgres.ts';
import { claimAll, connectSessions, dumpOf, joinAlone, openShared } from './support/postgres-sessions.ts';
import { addLinked, CONTENT, contentOf, devicesOf, LEAVING, NUMEROS } from './support/stores.ts';

const [NUMERO, OTHER] = NUMEROS;
const NOT_OWNER = { name: 'StoreError', code: 'NOT_OWNER', isPassing: true };

/** A database, and connections to it that end with the test. */
async function database(
  t: Scope,
  fresh = freshDatabase(),
): Promise<{ url: string; sql: Sql; shared: Database }> {
  const url = await fresh;
  const shared = await connectSessions(url);
  t.after(() => shared.end());
  return { url, sql: shared.sql, shared };
}

describe('a process that no longer owns a session', () => {
  test('writes nothing of any kind, and learns it', async (t) => {
    const { sql } = await database(t);
    const lost: string[] = [];
    const writes: [name: string, write: (store: Ledger) => Promise<unknown>][] = [
      ['key', (store) => store.keys(NUMERO).write([{ type: 'session', id: 'a', value: '1' }])],
      ['deleted key', (store) => store.keys(NUMERO).write([{ type: 'creds', id: '', value: undefined }])],
      ['leave', (store) => store.leave(NUMERO)],
      ['names', (store) => store.describe(NUMERO, { label: 'late' })],
      ['link', (store) => store.setLink(NUMERO, undefined)],
      ['remove', (store) => store.remove(NUMERO)],
    ];
    for (const [name, write] of writes) {
      const former = await joinAlone({ sql });
      const store = await openShared(former, PLAIN, (numero) => lost.push(numero));
      if (!store.has(NUMERO)) await addLinked(store, NUMERO);
      await joinAlone({ sql });
      const before = await dumpOf(sql);
      await assert.rejects(write(store), NOT_OWNER, name);
      assert.equal(await dumpOf(sql), before, name);
      assert.equal(store.has(NUMERO), false);
      assert.equal(await store.confirm(NUMERO), false);
    }
    assert.deepEqual(lost, Array(writes.length).fill(NUMERO));
  });

  test('does not erase keys, and may not log in', async (t) => {
    const { sql } = await database(t);
    const store = await openShared(await joinAlone({ sql }));
    await addLinked(store, NUMERO);
    await addLinked(store, OTHER);
    assert.equal(await store.confirm(NUMERO), true);
    await joinAlone({ sql });
    const before = await dumpOf(sql);
    await store.erase(NUMERO);
    assert.equal(await dumpOf(sql), before);
    assert.equal(await store.confirm(OTHER), false);
  });

  test('writes nothing after the loss of a session, even if the session comes back', async (t) => {
    const { sql } = await database(t);
    const member = await joinAlone({ sql });
    const store = await openShared(member);
    await addLinked(store, NUMERO);
    const keys = store.keys(NUMERO);
    store.drop(NUMERO);
    await store.take(await claimAll(member));
    const before = await dumpOf(sql);
    await assert.rejects(keys.write([{ type: 'session', id: 'a', value: '1' }]), NOT_OWNER);
    store.dropAll();
    assert.deepEqual(store.sessions(), []);
    assert.equal(await dumpOf(sql), before);
  });

  test('writes nothing late to a session that was deleted and added again', async (t) => {
    const { sql } = await database(t);
    const member = await joinAlone({ sql });
    const lost: string[] = [];
    const entry = { at: 1, event: 'ready', state: 'CONNECTED' };
    const writes: [name: string, write: (late: Ledger) => Promise<unknown>][] = [
      ['key', (late) => late.keys(NUMERO).write([{ type: 'session', id: 'a', value: '1' }])],
      ['leave', (late) => late.leave(NUMERO)],
      ['erase', (late) => late.erase(NUMERO)],
      ['remove', (late) => late.remove(NUMERO)],
      ['names', (late) => late.describe(NUMERO, { label: 'late' })],
      ['link', (late) => late.setLink(NUMERO, undefined)],
      ['history', (late) => late.record([{ numero: NUMERO, entry }])],
      ['login', async (late) => assert.equal(await late.confirm(NUMERO), false)],
    ];
    const former = await openShared(member);
    await former.add(NUMERO);
    for (const [name, write] of writes) {
      const late = await openShared(member, PLAIN, (numero) => lost.push(numero));
      const next = await openShared(member);
      await next.remove(NUMERO);
      await addLinked(next, NUMERO);
      const before = await dumpOf(sql);
      await write(late).catch((error: unknown) => assert.ok(error instanceof NotOwnerError, name));
      assert.equal(await dumpOf(sql), before, name);
    }
    assert.equal(lost.length, writes.length - 1);
  });

  test('cannot add a session that another one has', async (t) => {
    const { sql } = await database(t);
    const former = await openShared(await joinAlone({ sql }));
    await former.add(NUMERO);
    const store = await openShared(await joinAlone({ sql }));
    assert.ok(store.has(NUMERO));
    former.dropAll();
    await assert.rejects(former.add(NUMERO), NOT_OWNER);
    await assert.rejects(former.add(OTHER), NOT_OWNER);
    assert.equal((await sql`SELECT FROM session`).length, 1);
  });

  test('finds the keys of a session that is still its own', async (t) => {
    const { sql } = await database(t);
    const store = await openShared(await joinAlone({ sql }));
    await addLinked(store, NUMERO);
    store.drop(NUMERO);
    await store.add(NUMERO);
    assert.notEqual(store.keys(NUMERO).first(CREDENTIALS), undefined);
  });

  test('while its lease is over, writes nothing', async (t) => {
    const { sql } = await database(t);
    const store = new Ledger(new Postgres(() => undefined), { cipher: PLAIN, print: assert.fail });
    await assert.rejects(store.add(NUMERO), NOT_OWNER);
    assert.equal((await sql`SELECT FROM session`).length, 0);
  });
});

test('added and removed sessions are announced to all', async (t) => {
  const { url, sql } = await database(t);
  const heard: unknown[] = [];
  const listener = await listen(
    url,
    'test',
    CHANNEL,
    (text) => heard.push(openNotices(CIPHER, text)),
    () => {},
  );
  t.after(() => listener.end());
  const store = await openShared(await joinAlone({ sql }));
  await addLinked(store, NUMERO);
  await store.remove(NUMERO);
  await until(() => heard.length === 2, 'the notices');
  assert.deepEqual(heard, [[{ type: 'rows', numero: NUMERO }], [{ type: 'rows', numero: NUMERO }]]);
  assert.equal((await sql`SELECT FROM key`).length, 0);
});

describe('a failing database', () => {
  const failureOf = async (store: Ledger, spoil: () => Promise<unknown>) => {
    await addLinked(store, NUMERO);
    await spoil();
    const keys = store.keys(NUMERO);
    const write = keys.write([{ type: 'session', id: 'a', value: '1' }]);
    const error: unknown = await write.catch((failure: unknown) => failure);
    assert.ok(error instanceof StoreError);
    return error;
  };
  const quiet = (member: Membership) => {
    const printed: string[] = [];
    const store = new Ledger(new Postgres(() => member), {
      cipher: PLAIN,
      print: (sentence) => printed.push(sentence),
      lost: assert.fail,
    });
    return { store, printed };
  };

  test('is named in log and answer', async (t) => {
    const { sql } = await database(t);
    const { store, printed } = quiet(await joinAlone({ sql }));
    const error = await failureOf(store, async () => {
      await sql`ALTER TABLE key ADD CHECK (type <> 'session')`;
    });
    assert.equal(error.code, '23514');
    assert.equal(error.isPassing, false);
    assert.deepEqual(printed, [`The store fails (23514): write-keys of ${NUMERO}.`]);
    assert.equal(
      answerTo(error)?.[1],
      'El servidor no puede leer o guardar sus datos (23514): revisa el disco o la base de datos.',
    );
  });

  test('that is full says so with 507, one that is away with 503 for a moment', () => {
    const failure = (code: string) => new StoreError('start', NUMERO, code);
    assert.equal(answerTo(failure('53100'))?.[0], 507);
    assert.match(
      answerTo(failure('53100'))?.[1] ?? '',
      /^El servidor no tiene espacio para guardar \(53100\): /,
    );
    for (const code of ['ECONNREFUSED', 'CONNECTION_LOST', '57P01', '57014', '25006', '40P01']) {
      assert.equal(answerTo(failure(code))?.[0], 503);
      assert.ok(failure(code).isPassing, code);
      assert.match(
        answerTo(failure(code))?.[1] ?? '',
        /^La base de datos no responde .* de nuevo en unos segundos\.$/,
      );
    }
    assert.equal(
      answerTo(failure('NOT_OWNER'))?.[1],
      `La sesión de ${NUMERO} está pasando a otro servidor: inténtalo de nuevo en unos segundos.`,
    );
  });

  test('does not void keys that could not be erased: they are before their next use', async (t) => {
    const { sql } = await database(t);
    const { store } = quiet(await joinAlone({ sql }));
    await addLinked(store, NUMERO);
    await sql`CREATE FUNCTION refuse() RETURNS trigger AS 'BEGIN RAISE EXCEPTION ''no''; END' LANGUAGE plpgsql`;
    await sql`CREATE TRIGGER refuse BEFORE DELETE ON key FOR EACH ROW EXECUTE FUNCTION refuse()`;
    await (await devicesOf(store)).erase(NUMERO);
    await assert.rejects(store.add(NUMERO), { task: 'erase' });
    await sql`DROP TRIGGER refuse ON key`;
    await store.add(NUMERO);
    assert.equal((await devicesOf(store)).get(NUMERO).phone, undefined);
    assert.equal((await sql`SELECT FROM key`).length, 0);
  });
});

describe('the row of the cluster', () => {
  const key = (byte: number) => cipherOf(Buffer.alloc(32, byte));

  test('gives all gateways one secret', async (t) => {
    const shared = await connectPostgres(await freshDatabase(), { max: 4, name: 'test' });
    t.after(() => shared.end());
    await prepareTables(shared);
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => agree(shared, 'whatsapp', key(1))));
    const sealed = first?.seal('said', ['place']) ?? '';
    for (const other of others) assert.equal(other.open(sealed, ['place']), 'said');
  });

  test('refuses another engine, and another key or none', async (t) => {
    const shared = await connectSessions(await freshDatabase(), key(1));
    t.after(() => shared.end());
    const refused = (join: Promise<unknown>, message: RegExp) =>
      assert.rejects(join, { name: 'DatabaseError', message });
    await refused(
      agree(shared, 'simulated', key(1)),
      /^The sessions in the database are of the engine whatsapp: /,
    );
    const encrypted = `^The database is encrypted with the key ${key(1).id}`;
    await refused(agree(shared, 'whatsapp', PLAIN), new RegExp(`${encrypted}: name the file`));
    await refused(
      agree(shared, 'whatsapp', key(2)),
      new RegExp(`${encrypted}, not ${key(2).id}: name the file`),
    );
  });

  test('encrypts what is there, but only while no gateway runs', async (t) => {
    const { sql, shared } = await database(t);
    const store = await openShared(await joinAlone({ sql }));
    for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
    await store.leave(LEAVING);
    const before = await dumpOf(sql);
    await assert.rejects(agree(shared, 'whatsapp', key(1)), {
      name: 'DatabaseError',
      message:
        'The database is not encrypted, and gateways are running on it: stop all of them first, or leave --key-file out.',
    });
    assert.equal(await dumpOf(sql), before);
    // Of a gateway that was killed, or only sleeps.
    await sql`UPDATE node SET beaten = now() - interval '1 hour'`;
    await agree(shared, 'whatsapp', key(1));
    assert.ok(!(await dumpOf(sql)).includes('noiseKey'));
    await assert.rejects(store.keys(NUMERO).write([{ type: 'session', id: 'a', value: '1' }]), NOT_OWNER);
    assert.deepEqual(await contentOf(await openShared(await joinAlone({ sql }), key(1))), CONTENT);
  });
});

describe('a database that cannot be used at the start', () => {
  test('has a sentence for each reason', () => {
    const url = 'postgres://me:12/secret@host/db';
    for (const code of [
      '28P01',
      '3D000',
      '42501',
      '25006',
      '53100',
      '53300',
      'CONNECTION_LOST',
      'ERR_INVALID_URL',
    ]) {
      const error = databaseError(url, Object.assign(new Error('secret'), { code }));
      assert.ok(error instanceof Error && error.name === 'DatabaseError', code);
      assert.doesNotMatch(error.message, /secret|12/, code);
    }
    const bug = new TypeError('a bug');
    assert.equal(databaseError(url, bug), bug);
  });
});

test('a database that restarts costs nothing: what is under way is done when it is back', async (t) => {
  const server = await startPostgres(t);
  const { sql } = await database(t, server.freshDatabase());
  const lost: string[] = [];
  const store = await openShared(await joinAlone({ sql }), PLAIN, (numero) => lost.push(numero));
  await addLinked(store, NUMERO);
  const keys = store.keys(NUMERO);
  // A store tries for ten seconds, in which a busy machine may not have the server back.
  const now = performance.now();
  t.mock.method(performance, 'now', () => now);
  await server.stop('immediate');
  const done = Promise.all([
    keys.write([{ type: 'session', id: 'a', value: '1' }]),
    keys.get('session', ['a']),
    store.confirm(NUMERO),
  ]);
  await server.start();
  const [, read, isOurs] = await done;
  assert.deepEqual(Object.fromEntries(read), { a: '1' });
  assert.ok(isOurs);
  await store.remove(NUMERO);
  assert.deepEqual(lost, []);
});
