import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import Database from 'libsql';
import { STATES } from '../../../src/wire.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { backup } from '../../src/ledger/backup.ts';
import { restore } from '../../src/ledger/restore.ts';
import { NUMERO, OTHER, startLab } from '../whatsapp/support/lab.ts';
import { call } from './support/commands.ts';
import { CONTENT, contentOf, makeSessions, openSessions } from './support/stores.ts';

const DATABASE = 'sessions.sqlite';

/** A folder with a store, and a backup of it. */
async function startWithBackup() {
  const parent = temporaryFolder();
  const folder = join(parent, 'data');
  const file = join(parent, 'backup.sqlite');
  await (await makeSessions(folder)).close();
  assert.deepEqual(await backup(folder, file), { sessions: 3 });
  return { parent, folder, file };
}

async function assertRefused(run: Promise<unknown>, message: string): Promise<void> {
  await assert.rejects(run, { name: 'FolderError', message });
}

describe('a backup', () => {
  test('of a running gateway brings its sessions back linked, and a sent message arrives', async (t) => {
    const lab = await startLab(t);
    const file = join(temporaryFolder(), 'backup.sqlite');
    await lab.link();
    await lab.link(OTHER);
    assert.deepEqual(await call('backup', lab.folder, file), { sessions: 2 });
    assert.equal(statSync(file).mode & 0o777, 0o600);
    await lab.gateway.close();
    // As on another machine.
    for (const name of readdirSync(lab.folder)) rmSync(join(lab.folder, name));
    assert.deepEqual(await restore(lab.folder, file), { sessions: 2, key: null });
    await lab.start();
    for (const numero of [NUMERO, OTHER]) await lab.state(STATES.connected, numero);
    assert.equal(lab.whatsapp.registrations, 2);
    assert.equal((await lab.send(['34600000002'])).status, 200);
    assert.deepEqual(lab.whatsapp.phone('34600000002').failures, []);
  });

  test('is the only file left, and never replaces one', async () => {
    const { parent, folder, file } = await startWithBackup();
    assert.deepEqual(readdirSync(parent).sort(), ['backup.sqlite', 'data']);
    const before = readFileSync(file);
    await assertRefused(
      backup(folder, file),
      `'${file}' exists already: choose another name for the backup.`,
    );
    assert.deepEqual(readFileSync(file), before);
  });

  test('does not replace one that was made at the same time', async () => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const file = join(parent, 'backup');
    await (await makeSessions(folder)).close();
    const made = await Promise.allSettled([backup(folder, file), backup(folder, file)]);
    assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.deepEqual(readdirSync(parent).sort(), ['backup', 'data']);
  });

  test('is refused where there is nothing to back up, or no place for it', async () => {
    const { parent, folder } = await startWithBackup();
    await assertRefused(
      backup(parent, join(parent, 'other')),
      `There is no store in '${parent}': name the gateway's folder with --data.`,
    );
    await assertRefused(
      backup(folder, join(parent, 'none', 'other')),
      `The backup '${parent}/none/other' cannot be written (ENOENT): choose another place.`,
    );
    writeFileSync(join(folder, DATABASE), 'my notes '.repeat(1_000));
    await assertRefused(
      backup(folder, join(parent, 'other')),
      `'${folder}/${DATABASE}' is not a gateway's store: move it away, or bring a backup back with restore.`,
    );
    assert.deepEqual(readdirSync(parent).sort(), ['backup.sqlite', 'data']);
  });
});

describe('a restore', () => {
  test('is refused where there is a store already, or anything of one, and changes nothing', async (t) => {
    const { folder, file } = await startWithBackup();
    const refused = () =>
      assertRefused(
        restore(folder, file),
        `There is a store in '${folder}' already: move its files sessions.sqlite* away first, or choose another folder with --data.`,
      );
    await refused();
    const store = await openSessions(folder);
    assert.deepEqual(await contentOf(store), CONTENT);
    await store.close();
    rmSync(join(folder, DATABASE));
    const journal = join(folder, `${DATABASE}-wal`);
    writeFileSync(journal, 'of a store that was damaged');
    await refused();
    rmSync(journal);
    assert.deepEqual(await restore(folder, file), { sessions: 3, key: null });
    assert.deepEqual(readdirSync(folder).sort(), ['gateway.lock', DATABASE]);
    assert.equal(statSync(join(folder, DATABASE)).mode & 0o777, 0o600);
    const restored = await openSessions(folder);
    t.after(() => restored.close());
    assert.deepEqual(await contentOf(restored), CONTENT);
  });

  test('is refused beside a running gateway', async (t) => {
    const { folder, file } = await startWithBackup();
    const store = await openSessions(folder);
    t.after(() => store.close());
    const before = readdirSync(folder).sort();
    await assertRefused(
      restore(folder, file),
      `The folder '${folder}' is in use, by a gateway or a backup: stop that first, or choose another with --data.`,
    );
    assert.deepEqual(readdirSync(folder).sort(), before);
    assert.deepEqual(await contentOf(store), CONTENT);
  });

  const isOther = (file: string) => `'${file}' is not a gateway's backup: choose another file.`;
  const isDamaged = (file: string) => `'${file}' is damaged or cut short: choose another backup.`;
  const BAD: [what: string, spoil: (file: string) => void, message: (file: string) => string][] = [
    ['a file that is no SQLite', (file) => writeFileSync(file, 'my notes '.repeat(1_000)), isOther],
    ['an empty file', (file) => truncateSync(file), isOther],
    [
      'a database of something else',
      (file) => {
        truncateSync(file);
        change(file, 'CREATE TABLE note (text)');
      },
      isOther,
    ],
    [
      'a database of something else with sessions',
      (file) => {
        truncateSync(file);
        change(file, 'CREATE TABLE session (sid TEXT, data TEXT)');
      },
      isOther,
    ],
    ['a backup without the table of its key', (file) => change(file, 'DROP TABLE cipher'), isDamaged],
    ['a backup without names, links and histories', (file) => change(file, 'DROP TABLE archive'), isDamaged],
    [
      'a backup that lacks its second half',
      (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
      isDamaged,
    ],
    ['a backup that lacks its last byte', (file) => truncateSync(file, statSync(file).size - 1), isDamaged],
    [
      'a backup with a damaged page',
      (file) => writeFileSync(file, readFileSync(file).fill('A', 4_096, 8_192)),
      isDamaged,
    ],
    [
      'a backup of another version',
      (file) => change(file, 'PRAGMA user_version = 7'),
      (file) =>
        `'${file}' is of another version of the gateway (store version 7; this one knows 1): ` +
        'use that version, or choose another backup.',
    ],
    [
      'the file of a gateway that was not stopped',
      (file) => writeFileSync(`${file}-wal`, 'pages'),
      (file) =>
        `'${file}' is not a backup, but the file of a gateway that was not stopped: make one of its folder with backup.`,
    ],
  ];
  for (const [what, spoil, message] of BAD) {
    test(`of ${what} is refused and changes nothing`, async (t) => {
      const { parent, folder, file } = await startWithBackup();
      spoil(file);
      await assertRefused(restore(folder, file), message(file));
      const other = join(parent, 'other');
      await assertRefused(restore(other, file), message(file));
      assert.ok(!existsSync(other));
      assert.deepEqual(readdirSync(folder).sort(), ['gateway.lock', DATABASE]);
      const store = await openSessions(folder);
      t.after(() => store.close());
      assert.deepEqual(await contentOf(store), CONTENT);
    });
  }

  test('of nothing is refused', async () => {
    const parent = temporaryFolder();
    mkdirSync(join(parent, 'folder'));
    for (const name of ['none', 'folder']) {
      const file = join(parent, name);
      await assertRefused(
        restore(join(parent, 'data'), file),
        `There is no backup '${file}': choose another file.`,
      );
    }
    assert.deepEqual(readdirSync(parent), ['folder']);
  });
});

test('a store of another version is refused by name', async () => {
  const { parent, folder } = await startWithBackup();
  const db = new Database(join(folder, DATABASE));
  db.pragma('user_version = 7');
  db.close();
  const file = join(parent, 'later');
  await assertRefused(
    backup(folder, file),
    `The store in '${folder}' is of another version of the gateway (store version 7; this one knows 1): ` +
      'use that version, or choose another folder with --data.',
  );
  assert.ok(!existsSync(file));
});

test('a copy of the file of a stopped gateway is as good as a backup', async () => {
  const { parent, folder } = await startWithBackup();
  const copy = join(parent, 'copy.sqlite');
  copyFileSync(join(folder, DATABASE), copy);
  assert.deepEqual(await restore(join(parent, 'other'), copy), { sessions: 3, key: null });
});

function change(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}
