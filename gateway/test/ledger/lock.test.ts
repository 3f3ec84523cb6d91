import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { filesWith } from '../whatsapp/support/raw-files.ts';
import { hold, runApart } from './support/commands.ts';
import { gateway, oldGateway } from './support/gateways.ts';
import {
  CONTENT,
  contentOf,
  devicesOf,
  makeSessions,
  NUMEROS,
  openSessions,
  SECRET,
} from './support/stores.ts';

/** Reads the store, as a backup does, until the process ends. */
const reader = (folder: string) => `
  import Database from 'libsql';
  globalThis.db = new Database(${JSON.stringify(join(folder, 'sessions.sqlite'))});
  db.exec('BEGIN');
  db.prepare('SELECT * FROM session').all();
  console.log('reading');`;

describe('the lock of a folder', () => {
  test('keeps another gateway off, also one of an earlier version, until the process is killed', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    await (await makeSessions(folder)).close();
    const kill = await hold(t, gateway(folder));
    assert.equal(
      await runApart(gateway(folder)),
      `Another gateway is using the folder '${folder}': choose another with --data.`,
    );
    assert.equal(await runApart(oldGateway(folder)), 'SQLITE_BUSY');
    await kill();
    const store = await openSessions(folder);
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), CONTENT);
  });

  test('lets another process read; all files stay for their owner only', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    const store = await makeSessions(folder);
    t.after(() => store.close());
    await hold(t, reader(folder));
    const files = readdirSync(folder);
    assert.ok(files.includes('sessions.sqlite-shm'), `${files}`);
    for (const file of files) assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600, file);
  });
});

describe('a deletion while the store is being read', () => {
  test('waits for the end, and leaves nothing behind', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    const store = await makeSessions(folder);
    t.after(() => store.close());
    const kill = await hold(t, reader(folder));
    // It waits for ten seconds, in which a busy machine may not have killed the reader.
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    let isDone = false;
    const removed = store.remove(NUMEROS[0]).then(() => {
      isDone = true;
    });
    // Other sessions go on meanwhile.
    await (await devicesOf(store)).get(NUMEROS[1]).checkWritable();
    assert.equal(isDone, false);
    await kill();
    await removed;
    assert.deepEqual(filesWith(folder, NUMEROS[0]), []);
    for (const { numero } of store.sessions()) await store.remove(numero);
    assert.deepEqual(filesWith(folder, SECRET), []);
  });

  test('does not hold up the end of the gateway, which loses nothing', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    const store = await makeSessions(folder);
    const kill = await hold(t, reader(folder));
    const removed = store.remove(NUMEROS[0]);
    await store.close();
    await removed;
    await kill();
    const again = await openSessions(folder);
    t.after(() => again.close());
    assert.deepEqual(await contentOf(again), CONTENT.slice(1));
    assert.deepEqual(filesWith(folder, NUMEROS[0]), []);
  });
});
