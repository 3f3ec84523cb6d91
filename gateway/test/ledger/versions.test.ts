import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'libsql';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { makeSessions, openSessions } from './support/stores.ts';

test('a store of another version is refused and not touched', async () => {
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
      `The store in '${folder}' is of another version of the gateway (store version 5; this one knows 1): ` +
      'use that version, or choose another folder with --data.',
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

test('a database of something else is refused and not touched', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'sessions.sqlite');
  const db = new Database(file);
  db.exec('CREATE TABLE session (sid TEXT, data TEXT)');
  db.close();
  const before = readFileSync(file);
  await assert.rejects(openSessions(folder), {
    name: 'FolderError',
    message: `'${file}' is not a gateway's store: move it away, or bring a backup back with restore.`,
  });
  assert.deepEqual(readFileSync(file), before);
});
