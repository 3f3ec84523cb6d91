import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Library, loadLibrary } from '../../src/engines/whatsapp/library.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import type { DiskTask } from '../../src/ledger/store-error.ts';
import { damage } from '../ledger/support/stores.ts';
import { Devices } from './support/devices.ts';
import { failSql } from './support/failing-sql.ts';

const NUMERO = '5215550001111';
const ME = { id: `${NUMERO}:3@s.whatsapp.net`, lid: '100:3@lid' };

let library: Library;

before(async () => {
  library = await loadLibrary();
});

describe('the SQLite store', () => {
  let folder: string;
  let store: Ledger;
  let devices: Devices;
  const printed: string[] = [];
  const print = (sentence: string) => printed.push(sentence);
  const open = () => openLedger(join(folder, 'data'), print);
  const start = async () => {
    store = await open();
    devices = new Devices(store, library, print);
  };
  const reopen = async () => {
    await devices.close();
    await start();
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    await start();
    await store.add(NUMERO);
  });
  afterEach(() => devices.close());

  const link = async () => {
    const { auth } = devices.get(NUMERO);
    auth.creds.me = ME;
    auth.creds.account = {};
    await devices.get(NUMERO).save();
    return auth;
  };

  test('is readable by its owner only, journal included', async () => {
    await link();
    const data = join(folder, 'data');
    assert.equal(statSync(data).mode & 0o777, 0o700);
    const files = readdirSync(data);
    assert.ok(files.length >= 2, `${files}`);
    for (const file of files) assert.equal(statSync(join(data, file)).mode & 0o777, 0o600, file);
  });

  test('writes a set of keys completely or not at all', async () => {
    const { keys } = await link();
    const broken = Object.assign(Buffer.from('2'), { toJSON: () => assert.fail('it breaks off') });
    const message = `The store fails (ERR_ASSERTION): write-keys of ${NUMERO}.`;
    const set = async () => keys.set({ session: { a: Buffer.from('1'), b: broken } });
    await assert.rejects(set(), { name: 'StoreError', message });
    await assert.rejects(set());
    assert.deepEqual(printed, [message]);
    await reopen();
    assert.deepEqual(await devices.get(NUMERO).auth.keys.get('session', ['a']), {});
  });

  test('logs once that keys cannot be read', async () => {
    await (await link()).keys.set({ session: { a: Buffer.from('1') } });
    await devices.close();
    damage(join(folder, 'data'), 1, 'key', 'session');
    await start();
    const before = printed.length;
    const { keys } = devices.get(NUMERO).auth;
    const message = `The store fails (SyntaxError): read-keys of ${NUMERO}.`;
    for (const _ of [1, 2]) {
      await assert.rejects(async () => keys.get('session', ['a']), { name: 'StoreError', message });
    }
    assert.deepEqual(printed.slice(before), [message]);
  });

  test('keeps what could not be written, and writes it with the next change', async (t) => {
    const { keys } = await link();
    await keys.set({ session: { b: Buffer.from('old') } });
    const heal = failSql(t, /BEGIN/);
    await assert.rejects(async () => keys.set({ session: { a: Buffer.from('1'), b: null } }));
    await assert.rejects(devices.get(NUMERO).checkWritable(), { name: 'StoreError', isFull: true });
    heal();
    await devices.get(NUMERO).checkWritable();
    await reopen();
    const found = await devices.get(NUMERO).auth.keys.get('session', ['a', 'b']);
    assert.deepEqual(found, { a: Buffer.from('1') });
  });

  test('keeps the keys of conversations in memory, and one-time keys on the disk only', async (t) => {
    const { keys } = await link();
    const session = Buffer.from('1');
    await keys.set({ 'pre-key': { 1: library.Curve.generateKeyPair() }, session: { a: session } });
    failSql(t, /^SELECT type, id, value FROM key/);
    assert.deepEqual(await keys.get('session', ['a']), { a: session });
    await assert.rejects(async () => keys.get('pre-key', ['1']), { name: 'StoreError' });
  });
});

test('an observer receives the duration of each disk operation', async (t) => {
  const folder = temporaryFolder();
  const tasks: DiskTask[] = [];
  const onDiskTask = (task: DiskTask, milliseconds: number) => {
    assert.ok(milliseconds >= 0 && milliseconds < 60_000, `${milliseconds}`);
    tasks.push(task);
  };
  const store = await openLedger(folder, () => {}, { onDiskTask });
  t.after(() => store.close());
  await store.add(NUMERO);
  failSql(t, /INTO key /);
  const devices = new Devices(store, library, () => {});
  await assert.rejects(devices.get(NUMERO).checkWritable());
  assert.deepEqual([...new Set(tasks)], ['start', 'read-credentials', 'write-keys']);
});
