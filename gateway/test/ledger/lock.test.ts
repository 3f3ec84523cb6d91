import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { hold, runApart } from './support/commands.ts';
import { gateway } from './support/gateways.ts';
import { CONTENT, contentOf, makeSessions, NUMEROS, openSessions } from './support/stores.ts';

/** Reads the store, as a backup does, until the process ends. */
const reader = (folder: string) => `
  import Database from 'libsql';
  globalThis.db = new Database(${JSON.stringify(join(folder, 'sessions.sqlite'))});
  db.exec('BEGIN');
  db.prepare('SELECT * FROM session').all();
  console.log('reading');`;

describe('the lock of a folder', () => {
  test('keeps another gateway off until the process is killed', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    await (await makeSessions(folder)).close();
    const kill = await hold(t, gateway(folder));
    assert.equal(
      await runApart(gateway(folder)),
      `The folder '${folder}' is in use, by a gateway or a backup: stop that first, or choose another with --data.`,
    );
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

test('a deletion does not wait for another process that reads the store', async (t) => {
  const folder = join(temporaryFolder(), 'data');
  const store = await makeSessions(folder);
  const kill = await hold(t, reader(folder));
  await store.remove(NUMEROS[0]);
  await store.close();
  await kill();
  const again = await openSessions(folder);
  t.after(() => again.close());
  assert.deepEqual(await contentOf(again), CONTENT.slice(1));
});
