import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { prepareFolder } from '../../src/ledger/folder.ts';

/** No user has this id. */
const STRANGER = 54_321;

describe('the data folder', () => {
  let parent: string;
  let folder: string;
  beforeEach(() => {
    parent = temporaryFolder();
    folder = join(parent, "it's data");
    mkdirSync(folder, { mode: 0o700 });
  });

  function assertRefused(message: string): void {
    assert.throws(() => prepareFolder(folder), { name: 'FolderError', message });
  }

  for (const mode of [0o720, 0o702, 0o777]) {
    test(`is refused with mode ${mode.toString(8)}, with the command that fixes it`, () => {
      chmodSync(folder, mode);
      assertRefused(
        `Other users can write to '${folder}', so the sessions' keys are not safe there. ` +
          `Run this first: chmod go-w '${parent}/it'\\''s data'`,
      );
      chmodSync(folder, mode & ~0o022);
      assert.equal(prepareFolder(folder), join(folder, 'sessions.sqlite'));
    });
  }

  test('may be readable by others, since its files are not', () => {
    chmodSync(folder, 0o755);
    prepareFolder(folder);
  });

  const notRoot = process.geteuid?.() !== 0 && 'only root can give files away';
  for (const what of ['', 'sessions.sqlite', 'sessions.sqlite-wal']) {
    test(`is refused when ${what || 'it'} belongs to another user`, { skip: notRoot }, () => {
      const path = join(folder, what);
      if (what !== '') writeFileSync(path, '');
      chownSync(path, STRANGER, STRANGER);
      const quoted = path.replace("'", "'\\''");
      assertRefused(
        `'${path}' belongs to another user: choose another folder with --data, or run this first: chown 0 '${quoted}'`,
      );
    });
  }

  test('is refused when it is a file', () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    assertRefused(`'${folder}' is not a folder: choose another with --data.`);
    folder = join(folder, 'below');
    assertRefused(`'${folder}' is not a folder: choose another with --data.`);
  });

  test('is refused when its files are not regular files', () => {
    for (const name of ['sessions.sqlite', 'sessions.sqlite-wal']) {
      const path = join(folder, name);
      const message = `'${path}' is not a regular file: move it away, or choose another folder with --data.`;
      mkdirSync(path);
      assertRefused(message);
      rmSync(path, { recursive: true });
      symlinkSync('/dev/null', path);
      assertRefused(message);
      rmSync(path);
    }
  });
});
