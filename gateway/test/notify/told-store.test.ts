import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Cipher, PLAIN } from '../../src/ledger/cipher.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { cipherOfFile } from '../../src/ledger/key-file.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { Postgres } from '../../src/ledger/postgres.ts';
import { rekey, rekeyDatabase } from '../../src/ledger/rekey.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { StoreError } from '../../src/ledger/store-error.ts';
import { memberOf } from '../cluster/support/member.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { connectSessions, joinAlone } from '../ledger/support/postgres-sessions.ts';
import { makeKey, openSessions } from '../ledger/support/stores.ts';
import { NUMERO } from '../support/gateway.ts';
import { failSql } from '../whatsapp/support/failing-sql.ts';
import { filesWith } from '../whatsapp/support/raw-files.ts';

const TEXT = JSON.stringify({ told: { [NUMERO]: { open: 'away' } } });

/** Returns a new database with the gateways' tables, and what a gateway with it keeps of what was told. */
async function startDatabase(scope: Scope, cipher: Cipher = PLAIN) {
  const url = await freshDatabase();
  const database = await connectSessions(url, cipher);
  scope.after(() => database.end());
  const { sql } = database;
  return { url, sql, told: toldOf(sql, cipher) };
}

/** Returns what a gateway with this database keeps. */
function toldOf(sql: Sql, cipher: Cipher = PLAIN, Driver = Postgres): Ledger {
  const member = memberOf(sql, randomUUID());
  return new Ledger(new Driver(() => member), { cipher, print: assert.fail });
}

/** Returns what a folder's gateway keeps. */
async function openTold(scope: Scope, folder: string, keyFile?: string): Promise<Ledger> {
  const ledger = await openSessions(folder, { keyFile });
  scope.after(() => ledger.close());
  return ledger;
}

/** Closes a folder after something was told. */
async function tellIn(folder: string, keyFile?: string): Promise<void> {
  const ledger = await openSessions(folder, { keyFile });
  assert.ok(await ledger.replaceTold('webhook', TEXT, undefined));
  await ledger.close();
}

const STORES: readonly (readonly [name: string, open: (scope: Scope) => Promise<Ledger>])[] = [
  ['a folder', (scope) => openTold(scope, join(temporaryFolder(), 'data'))],
  ['a database', async (scope) => (await startDatabase(scope)).told],
];

for (const [name, open] of STORES) {
  test(`what was told is kept in ${name}, for each channel`, async (t) => {
    const told = await open(t);
    assert.equal(await told.readTold('webhook'), undefined);
    const first = await told.replaceTold('webhook', 'uno', undefined);
    assert.ok(first);
    assert.deepEqual(await told.readTold('webhook'), { text: 'uno', version: first });
    assert.equal(await told.readTold('whatsapp'), undefined);
    const second = await told.replaceTold('webhook', 'dos', first);
    assert.ok(second && second !== first);
    assert.ok(await told.replaceTold('whatsapp', 'tres', undefined));
    assert.deepEqual(await told.readTold('webhook'), { text: 'dos', version: second });
    assert.equal((await told.readTold('whatsapp'))?.text, 'tres');
  });
}

test('what was told is kept in a folder over a restart', async (t) => {
  const folder = join(temporaryFolder(), 'data');
  await tellIn(folder);
  assert.equal((await (await openTold(t, folder)).readTold('webhook'))?.text, TEXT);
});

describe('of gateways on one database', () => {
  test('only one replaces a version, and only one writes the first', async (t) => {
    const { sql, told } = await startDatabase(t);
    const gateways = [told, toldOf(sql), toldOf(sql)];
    let before: string | undefined;
    for (let round = 0; round < 5; round++) {
      const versions = await Promise.all(
        gateways.map((gateway, index) => gateway.replaceTold('webhook', `${round} ${index}`, before)),
      );
      const winners = versions.flatMap((version, index) => (version === undefined ? [] : [index]));
      assert.equal(winners.length, 1, `round ${round}: ${versions}`);
      const [winner] = winners;
      before = versions[winner ?? 0];
      for (const gateway of gateways) {
        assert.deepEqual(await gateway.readTold('webhook'), { text: `${round} ${winner}`, version: before });
      }
    }
  });

  test('one that does not hear that it has written writes once', async (t) => {
    const { sql } = await startDatabase(t);
    const told = toldOf(sql, PLAIN, LostAnswers);
    const first = await told.replaceTold('webhook', 'uno', undefined);
    assert.ok(first);
    const second = await told.replaceTold('webhook', 'dos', first);
    assert.ok(second);
    assert.deepEqual(await told.readTold('webhook'), { text: 'dos', version: second });
  });
});

/** Every other answer of the database to a write is lost, with its connection. */
class LostAnswers extends Postgres {
  #writes = 0;

  override async keepTold(...args: Parameters<Postgres['keepTold']>): Promise<boolean> {
    const kept = await super.keepTold(...args);
    this.#writes += 1;
    if (this.#writes % 2 === 1) throw Object.assign(new Error(), { code: 'CONNECTION_LOST' });
    return kept;
  }
}

describe('with a key, what was told', () => {
  test('is sealed in a folder, also in one that was not encrypted, and with another key', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
    await tellIn(folder);
    assert.notDeepEqual(filesWith(folder, NUMERO), []);
    for (const [from, to] of [
      [undefined, old],
      [old, fresh],
    ] as const) {
      await rekey(folder, from, to);
      assert.deepEqual(filesWith(folder, NUMERO), []);
    }
    const told = await openTold(t, folder, fresh);
    assert.equal((await told.readTold('webhook'))?.text, TEXT);
    assert.ok(await told.replaceTold('whatsapp', TEXT, undefined));
    assert.deepEqual(filesWith(folder, NUMERO), []);
  });

  test('is sealed in a database, also in one that was not encrypted, and with another key', async (t) => {
    const parent = temporaryFolder();
    const [old, fresh] = [makeKey(parent, 'ab'), makeKey(parent, 'cd')];
    const { url, sql, told } = await startDatabase(t);
    const version = await told.replaceTold('webhook', TEXT, undefined);
    const stored = async () => String((await sql<{ text: string }>`SELECT text FROM told`)[0]?.text);
    assert.equal(await stored(), TEXT);
    for (const [from, to] of [
      [undefined, old],
      [old, fresh],
    ] as const) {
      const before = await stored();
      await rekeyDatabase(url, from, to);
      const after = await stored();
      assert.ok(!after.includes(NUMERO) && after !== before);
      assert.deepEqual(await toldOf(sql, cipherOfFile(to)).readTold('webhook'), { text: TEXT, version });
    }
  });

  test('cannot be moved to another channel', async (t) => {
    const cipher = cipherOfFile(makeKey(temporaryFolder(), 'ab'));
    const { sql } = await startDatabase(t, cipher);
    assert.ok(await toldOf(sql, cipher).replaceTold('webhook', TEXT, undefined));
    await sql`UPDATE told SET channel = 'whatsapp'`;
    assert.equal((await toldOf(sql, cipher).readTold('whatsapp'))?.text, undefined);
  });
});

describe('a failure to keep what was told', () => {
  test('is named in the log once, of a full disk', async (t) => {
    const printed: string[] = [];
    const ledger = await openLedger(join(temporaryFolder(), 'data'), (sentence) => printed.push(sentence));
    t.after(() => ledger.close());
    const told = ledger;
    const first = await told.replaceTold('webhook', 'uno', undefined);
    const heal = failSql(t, /INTO told/);
    for (let attempt = 0; attempt < 2; attempt++) {
      const failure: unknown = await told
        .replaceTold('webhook', 'dos', first)
        .catch((error: unknown) => error);
      assert.ok(failure instanceof StoreError && failure.isFull && failure.task === 'write-told');
    }
    assert.deepEqual(printed, ['The store has no space left (SQLITE_FULL): write-told.']);
    heal();
    assert.equal((await told.readTold('webhook'))?.text, 'uno');
    assert.ok(await told.replaceTold('webhook', 'dos', first));
    failSql(t, /FROM told/, 'SQLITE_IOERR');
    await assert.rejects(told.readTold('webhook'), { name: 'StoreError', task: 'read-told' });
    assert.equal(printed.at(-1), 'The store fails (SQLITE_IOERR): read-told.');
  });

  test('is named in the log once, of a database', async (t) => {
    const { sql } = await startDatabase(t);
    const printed: string[] = [];
    let isMember = true;
    const member = await joinAlone({ sql });
    const told = new Ledger(new Postgres(() => (isMember ? member : undefined)), {
      cipher: PLAIN,
      print: (sentence) => printed.push(sentence),
    });
    await sql`ALTER TABLE told ADD CHECK (text <> 'dos')`;
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(told.replaceTold('webhook', 'dos', undefined), {
        name: 'StoreError',
        code: '23514',
      });
    }
    assert.deepEqual(printed, ['The store fails (23514): write-told.']);
    // Others have declared this process dead.
    isMember = false;
    await assert.rejects(told.readTold('webhook'), { name: 'StoreError', task: 'read-told' });
    await assert.rejects(told.replaceTold('webhook', 'uno', undefined), { name: 'StoreError' });
    assert.equal((await sql`SELECT FROM told`).length, 0);
  });
});
