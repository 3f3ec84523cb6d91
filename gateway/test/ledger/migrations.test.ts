import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'libsql';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { failSql } from '../whatsapp/support/failing-sql.ts';
import { EARLIER, makeOld } from '../whatsapp/support/old-store.ts';
import { filesWith } from '../whatsapp/support/raw-files.ts';
import {
  CONTENT,
  contentOf,
  devicesOf,
  EARLIER_CONTENT,
  makeKey,
  makeSessions,
  NUMEROS,
  openSessions,
  placeThird,
  SECRET,
} from './support/stores.ts';

describe('a store of an earlier version', () => {
  for (const version of EARLIER) {
    test(`(${version}) has all its sessions linked afterwards`, async () => {
      const folder = join(temporaryFolder(), 'data');
      placeThird(folder);
      makeOld(folder, version);
      for (let start = 0; start < 2; start++) {
        const store = await openSessions(folder);
        assert.deepEqual(await contentOf(store), EARLIER_CONTENT);
        await store.close();
      }
    });

    test(`(${version}) can be encrypted with the same start`, async (t) => {
      const parent = temporaryFolder();
      const folder = join(parent, 'data');
      placeThird(folder);
      makeOld(folder, version);
      const store = await openSessions(folder, { keyFile: makeKey(parent, 'ab') });
      t.after(() => store.close());
      assert.deepEqual(await contentOf(store), EARLIER_CONTENT);
      assert.deepEqual(filesWith(folder, SECRET), []);
    });

    test(`(${version}) stays as it is when the conversion breaks off`, async (t) => {
      const folder = join(temporaryFolder(), 'data');
      placeThird(folder);
      makeOld(folder, version);
      const heal = failSql(t, version === 'oldest' ? /DROP TABLE .* keys$/ : /DROP TABLE .* keys_2/);
      await assert.rejects(openSessions(folder), {
        name: 'FolderError',
        message: `No space left on the disk of '${folder}': free some and start again.`,
      });
      heal();
      const store = await openSessions(folder);
      assert.deepEqual(await contentOf(store), EARLIER_CONTENT);
      await store.close();
    });
  }
});

test('an encrypted store of the second version stays encrypted', async (t) => {
  const parent = temporaryFolder();
  const folder = join(parent, 'data');
  const keyFile = makeKey(parent, 'ab');
  placeThird(folder, 'encrypted');
  makeOld(folder, 'second');
  const store = await openSessions(folder, { keyFile });
  t.after(() => store.close());
  assert.deepEqual(await contentOf(store), EARLIER_CONTENT);
  await store.describe(NUMEROS[0], { label: SECRET });
  assert.deepEqual(filesWith(folder, SECRET), []);
});

describe('a store of the third version', () => {
  for (const form of ['plain', 'encrypted'] as const) {
    const place = (parent: string) => {
      const folder = join(parent, 'data');
      placeThird(folder, form);
      return { folder, keyFile: form === 'encrypted' ? makeKey(parent, 'ab') : undefined };
    };

    test(`(${form}) has everything afterwards, and nothing readable is left of its old form`, async () => {
      const { folder, keyFile } = place(temporaryFolder());
      for (let start = 0; start < 2; start++) {
        const store = await openSessions(folder, { keyFile });
        assert.deepEqual(await contentOf(store), CONTENT);
        await store.close();
        for (const text of [SECRET, 'noiseKey', 'contact'])
          assert.deepEqual(filesWith(folder, text), [], text);
      }
    });

    test(`(${form}) stays as it is when the conversion breaks off`, async (t) => {
      const { folder, keyFile } = place(temporaryFolder());
      const heal = failSql(t, /DROP TABLE .* archive_2/);
      await assert.rejects(openSessions(folder, { keyFile }), {
        name: 'FolderError',
        message: /^No space left/,
      });
      heal();
      const store = await openSessions(folder, { keyFile });
      t.after(() => store.close());
      assert.deepEqual(await contentOf(store), CONTENT);
    });
  }

  test('can be encrypted with the same start', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    placeThird(folder);
    const store = await openSessions(folder, { keyFile: makeKey(parent, 'ab') });
    t.after(() => store.close());
    assert.deepEqual(await contentOf(store), CONTENT);
    assert.deepEqual(filesWith(folder, SECRET), []);
  });

  test('is not converted with another key', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    placeThird(folder, 'encrypted');
    const before = readFileSync(join(folder, 'sessions.sqlite'));
    await assert.rejects(openSessions(folder, { keyFile: makeKey(parent, 'cd') }), { name: 'FolderError' });
    assert.deepEqual(readFileSync(join(folder, 'sessions.sqlite')), before);
  });

  test('loses only values that were damaged before', async (t) => {
    const folder = join(temporaryFolder(), 'data');
    placeThird(folder, 'encrypted');
    const db = new Database(join(folder, 'sessions.sqlite'));
    db.exec("UPDATE keys_1 SET value = 'AAAA' WHERE type = 'device-list'");
    db.close();
    const printed: string[] = [];
    const keyFile = makeKey(join(folder, '..'), 'ab');
    const store = await openLedger(folder, (sentence) => printed.push(sentence), { keyFile });
    t.after(() => store.close());
    const { auth, phone } = (await devicesOf(store)).get(NUMEROS[0]);
    assert.equal(phone, NUMEROS[0]);
    await assert.rejects(async () => auth.keys.get('device-list', ['contact']), { code: 'DecryptionError' });
  });
});

test('a store of a later version is refused and not touched', async () => {
  const folder = join(temporaryFolder(), 'data');
  await (await makeSessions(folder)).close();
  const file = join(folder, 'sessions.sqlite');
  const db = new Database(file);
  db.pragma('user_version = 5');
  db.close();
  const before = readFileSync(file);
  await assert.rejects(openSessions(folder), {
    name: 'FolderError',
    message:
      `The store in '${folder}' was written by a later version of the gateway (store version 5; this one knows 4): ` +
      'install that version, or choose another folder with --data.',
  });
  assert.deepEqual(readFileSync(file), before);
});

test('a file that is no store is refused and not touched', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sessions.sqlite');
  writeFileSync(file, 'my notes '.repeat(1_000));
  await assert.rejects(openSessions(folder), {
    name: 'FolderError',
    message: `'${file}' is not a gateway's store: move it away, or bring a backup back with restore.`,
  });
  assert.match(readFileSync(file, 'utf8'), /^my notes /);
});
