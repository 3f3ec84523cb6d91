import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { createGateway } from '../../src/gateway.ts';
import { connectPostgres } from '../../src/ledger/database.ts';
import { cipherOfFile } from '../../src/ledger/key-file.ts';
import { migrateStore } from '../../src/ledger/migrate.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { sessionOf } from '../support/gateway.ts';
import { NUMERO, startLab } from '../whatsapp/support/lab.ts';
import { filesWith } from '../whatsapp/support/raw-files.ts';
import { connectSessions, dumpOf, joinAlone, openShared } from './support/postgres-sessions.ts';
import { CONTENT, contentOf, makeKey, makeSessions, openSessions } from './support/stores.ts';

describe('a move of sessions', () => {
  for (const keyed of ['neither', 'both', 'the target'] as const) {
    test(`to PostgreSQL and back keeps everything (encrypted: ${keyed})`, async (t) => {
      const parent = temporaryFolder();
      const [folder, other] = [join(parent, 'data'), join(parent, 'other')];
      const file = makeKey(parent, 'ab');
      const keyFile = keyed === 'neither' ? undefined : file;
      await (await makeSessions(folder, { keyFile: keyed === 'both' ? file : undefined })).close();
      const database = await freshDatabase();

      const there = await migrateStore({ to: 'database', folder, database, keyFile });
      assert.equal(there.sessions, 3);
      assert.match(there.warning, /still in the store in '.*data': never start a gateway on it again/);
      const shared = await connectPostgres(database, { max: 1, name: 'test' });
      t.after(() => shared.end());
      const { sql } = shared;
      assert.equal((await dumpOf(sql)).includes('noiseKey'), keyed === 'neither');

      const back = await migrateStore({ to: 'data', folder: other, database, keyFile });
      assert.equal(back.sessions, 3);
      assert.match(back.warning, /still in the database: never/);
      if (keyed !== 'neither') assert.deepEqual(filesWith(other, 'noiseKey'), []);
      const store = await openSessions(other, { keyFile });
      t.after(() => store.close());
      assert.deepEqual(await contentOf(store), CONTENT);
      const carried = await openShared(await joinAlone({ sql }), cipherOfFile(keyFile));
      assert.deepEqual(await contentOf(carried), CONTENT);
    });
  }

  test('leaves a phone linked, without a new code', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.close();
    const database = await freshDatabase();
    const folder = join(temporaryFolder(), 'data');
    await migrateStore({ to: 'database', folder: lab.folder, database });
    await migrateStore({ to: 'data', folder, database });
    const gateway = createGateway({ port: 0, whatsapp: { folder, url: lab.whatsapp.url } });
    t.after(() => gateway.close());
    await gateway.listen();
    await until(
      async () => (await sessionOf(gateway, NUMERO))?.state === STATES.connected,
      'the session to connect',
    );
    assert.equal(lab.whatsapp.registrations, 1);
  });

  test('is refused while a gateway uses either side', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const store = await makeSessions(folder);
    const database = await freshDatabase();
    await assert.rejects(migrateStore({ to: 'database', folder, database }), {
      name: 'FolderError',
      message: `The folder '${folder}' is in use, by a gateway or a backup: stop that first, or choose another with --data.`,
    });
    await store.close();
    const shared = await connectSessions(database);
    t.after(() => shared.end());
    const { sql } = shared;
    await joinAlone({ sql });
    const running = {
      name: 'DatabaseError',
      message: 'Gateways are running on the database: stop all of them first.',
    };
    await assert.rejects(migrateStore({ to: 'database', folder, database }), running);
    await assert.rejects(migrateStore({ to: 'data', folder: join(parent, 'other'), database }), running);
    assert.equal((await sql`SELECT FROM session`).length, 0);
  });

  test('is refused if there are sessions already, and changes nothing', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    await (await makeSessions(folder)).close();
    const database = await freshDatabase();
    await migrateStore({ to: 'database', folder, database });
    const shared = await connectPostgres(database, { max: 1, name: 'test' });
    t.after(() => shared.end());
    const { sql } = shared;
    const before = await dumpOf(sql);
    await assert.rejects(migrateStore({ to: 'database', folder, database }), {
      name: 'DatabaseError',
      message: 'There are sessions in the database already: choose an empty one with --database.',
    });
    await assert.rejects(migrateStore({ to: 'data', folder, database }), {
      name: 'FolderError',
      message: `There are sessions in '${folder}' already: choose another folder with --data.`,
    });
    assert.equal(await dumpOf(sql), before);
    const store = await openSessions(folder);
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), CONTENT);
  });

  test('is refused without the key of the source, or a source', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    await (await makeSessions(folder, { keyFile: makeKey(parent, 'ab') })).close();
    const database = await freshDatabase();
    await assert.rejects(migrateStore({ to: 'database', folder, database }), {
      name: 'FolderError',
      message: /is encrypted with the key /,
    });
    const keyFile = makeKey(parent, 'cd');
    await assert.rejects(migrateStore({ to: 'database', folder, database, keyFile }), {
      name: 'FolderError',
      message: /is encrypted with the key /,
    });
    const empty = join(parent, 'empty');
    await assert.rejects(migrateStore({ to: 'data', folder: empty, database }), {
      name: 'DatabaseError',
      message: 'No gateway has used this database yet: start one with --database.',
    });
    await assert.rejects(migrateStore({ to: 'database', folder: empty, database }), {
      name: 'FolderError',
      message: `There is no store in '${empty}': name the gateway's folder with --data.`,
    });
  });
});
