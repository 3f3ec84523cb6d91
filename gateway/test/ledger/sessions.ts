import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { loadLibrary } from '../../src/engines/whatsapp/library.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { CREDENTIALS } from '../../src/ledger/row.ts';
import type { Devices } from '../whatsapp/support/devices.ts';
import { hold } from './support/commands.ts';
import { addLinked, CONTENT, contentOf, devicesOf, LEAVING, NUMEROS, SECRET } from './support/stores.ts';

const [NUMERO, OTHER] = NUMEROS;

/** A place where sessions are stored, and processes that use it one after the other. */
export interface StoreLab {
  /** Opens the store for a process. */
  open(): Promise<Ledger>;
  /** The store's process has ended; another one opens it. */
  reopen(store: Ledger): Promise<Ledger>;
  /** Returns everything that lies there. */
  dump(): Promise<string>;
  /** A script that opens the store as another process does, into `store`. */
  readonly script: string;
}

/** What every store of sessions does. */
export function storeTests(startLab: (scope: Scope, isEncrypted: boolean) => Promise<StoreLab>): void {
  const lab = async (scope: Scope, isEncrypted = false) => {
    const started = await startLab(scope, isEncrypted);
    const store = await started.open();
    return { ...started, store, devices: await devicesOf(store) };
  };
  const link = async (store: Ledger, devices: Devices, numero: string = NUMERO) => {
    await store.add(numero);
    const credentials = devices.get(numero);
    credentials.auth.creds.me = { id: `${numero}:3@s.whatsapp.net`, lid: '100:3@lid' };
    credentials.auth.creds.account = {};
    await credentials.save();
    return credentials.auth;
  };

  test('returns credentials and keys of every kind as they were', async (t) => {
    const { store, devices, reopen } = await lab(t);
    const { creds, keys } = await link(store, devices);
    const library = await loadLibrary();
    const pair = library.Curve.generateKeyPair();
    const syncKey = { keyData: Buffer.from('key'), fingerprint: { rawId: 7, currentIndex: 1 } };
    await keys.set({
      'pre-key': { 1: pair, 2: pair },
      session: { 'a.0': Buffer.from([1, 2, 3]) },
      'app-state-sync-key': { x: library.proto.Message.AppStateSyncKeyData.fromObject(syncKey) },
      'device-list': { b: ['0', '1'] },
      'lid-mapping': { c: "an ' and an é" },
    });
    await keys.set({ 'pre-key': { 2: null } });
    const again = await reopen(store);

    const { phone, auth } = (await devicesOf(again)).get(NUMERO);
    assert.equal(phone, NUMERO);
    assert.deepEqual(auth.creds.noiseKey.private, Buffer.from(creds.noiseKey.private));
    assert.deepEqual({ ...auth.creds.me }, creds.me);
    const found = await auth.keys.get('pre-key', ['1', '2']);
    assert.deepEqual(Object.keys(found), ['1']);
    assert.deepEqual(found['1']?.private, Buffer.from(pair.private));
    assert.deepEqual((await auth.keys.get('session', ['a.0']))['a.0'], Buffer.from([1, 2, 3]));
    assert.deepEqual((await auth.keys.get('device-list', ['b'])).b, ['0', '1']);
    assert.equal((await auth.keys.get('lid-mapping', ['c'])).c, "an ' and an é");
    const { x } = await auth.keys.get('app-state-sync-key', ['x']);
    assert.ok(x instanceof library.proto.Message.AppStateSyncKeyData);
    assert.deepEqual(x.keyData, Buffer.from('key'));
  });

  test('keeps the order of the sessions, and pending deletions', async (t) => {
    const { store, reopen } = await lab(t);
    for (const numero of ['3', '1', '2']) await store.add(numero);
    await store.add('3');
    await store.leave('1');
    const again = await reopen(store);
    assert.deepEqual(again.sessions(), [
      { numero: '3', leaving: false },
      { numero: '1', leaving: true },
      { numero: '2', leaving: false },
    ]);
    await again.add('1');
    const last = await reopen(again);
    assert.ok(last.sessions().every(({ leaving }) => !leaving));
  });

  test('keeps the last version of WhatsApp Web', async (t) => {
    const { store, reopen } = await lab(t);
    assert.equal(await store.version(), undefined);
    const last = { version: '2.3000.1043857760', confirmed: 1_800_000_000_000 };
    await store.keepVersion({ ...last, version: '2.3000.1' });
    await store.keepVersion(last);
    assert.deepEqual(await store.version(), last);
    assert.deepEqual(await (await reopen(store)).version(), last);
  });

  test('writes in the order of the calls', async (t) => {
    const { store, reopen } = await lab(t);
    await store.add(NUMERO);
    const keys = store.keys(NUMERO);
    const writes = Array.from({ length: 50 }, (_, index) =>
      keys.write([{ type: 'session', id: 'a', value: String(index) }]),
    );
    assert.equal((await keys.get('session', ['a'])).get('a'), '49');
    await Promise.all(writes);
    const again = await reopen(store);
    assert.equal((await again.keys(NUMERO).get('session', ['a'])).get('a'), '49');
  });

  test('forgets the keys of what was erased or removed, and takes no late writes', async (t) => {
    const { store, devices, reopen } = await lab(t);
    for (const forget of ['erase', 'remove'] as const) {
      const { creds, keys } = await link(store, devices);
      const late = devices.get(NUMERO);
      await devices[forget](NUMERO);
      await keys.set({ session: { a: Buffer.from('late') } });
      await late.save();
      assert.equal(store.has(NUMERO), forget === 'erase');
      await store.add(NUMERO);
      const fresh = devices.get(NUMERO);
      assert.equal(fresh.phone, undefined);
      assert.notDeepEqual(fresh.auth.creds.noiseKey, creds.noiseKey);
      assert.deepEqual(await fresh.auth.keys.get('session', ['a']), {});
    }
    const again = await reopen(store);
    assert.equal(again.keys(NUMERO).first(CREDENTIALS), undefined);
  });

  test('leaves nothing of a removed session, and the others as they are', async (t) => {
    const { store, devices, dump } = await lab(t);
    await addLinked(store, NUMERO);
    await addLinked(store, OTHER);
    await devices.remove(NUMERO);
    const left = await dump();
    assert.ok(!left.includes(NUMERO));
    assert.ok(left.includes(OTHER));
  });

  test('encrypts every value', async (t) => {
    const { store, dump, reopen } = await lab(t, true);
    for (const numero of [...NUMEROS, LEAVING]) await addLinked(store, numero);
    await store.leave(LEAVING);
    const text = await dump();
    for (const part of [SECRET, '"Buffer"', 'noiseKey']) assert.ok(!text.includes(part), part);
    assert.ok(text.includes(NUMERO));
    assert.deepEqual(await contentOf(await reopen(store)), CONTENT);
  });

  test('writes nothing after it was closed', async (t) => {
    const { store, devices, open } = await lab(t);
    const { keys } = await link(store, devices);
    const late = devices.get(NUMERO);
    await devices.close();
    assert.equal(store.isOpen, false);
    await keys.set({ session: { a: Buffer.from('late') } });
    await late.save();
    await store.erase(NUMERO);
    const again = await open();
    assert.equal((await devicesOf(again)).get(NUMERO).phone, NUMERO);
    assert.deepEqual(await (await devicesOf(again)).get(NUMERO).auth.keys.get('session', ['a']), {});
  });

  test('keeps what was written when its process is killed', async (t) => {
    const { store, reopen, open, script } = await lab(t);
    await store.add(NUMERO);
    await store.close();
    const kill = await hold(
      t,
      `${script}
      const keys = store.keys('${NUMERO}');
      await keys.write([{ type: 'creds', id: '', value: 'whole' }, { type: 'session', id: 'a', value: '1' }]);
      console.log('written');
      for (let index = 0; ; index++) {
        await keys.write([
          { type: 'session', id: 'b', value: String(index) },
          { type: 'session', id: 'c', value: String(index) },
        ]);
      }`,
    );
    await kill();
    const again = await reopen(await open());
    const keys = again.keys(NUMERO);
    assert.equal(keys.first(CREDENTIALS), 'whole');
    const found = await keys.get('session', ['a', 'b', 'c']);
    assert.equal(found.get('a'), '1');
    assert.equal(found.get('b'), found.get('c'));
  });
}
