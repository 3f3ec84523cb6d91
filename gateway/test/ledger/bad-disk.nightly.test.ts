import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { backup } from '../../src/ledger/backup.ts';
import { restore } from '../../src/ledger/restore.ts';
import { CONTENT, contentOf, devicesOf, makeSessions, openSessions } from './support/stores.ts';

/** Mounts a disk of a few kilobytes; undefined where that is not allowed. */
function mount(t: TestContext, kilobytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'wo-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=700`, 'tmpfs', folder], {
      stdio: 'ignore',
    });
  } catch {
    rmSync(folder, { recursive: true });
    t.skip('only root can mount a disk');
    return undefined;
  }
  t.after(() => {
    execFileSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

describe('a disk', () => {
  test('that is read-only is named, with the next step, and a backup can be made of it', async (t) => {
    const disk = mount(t, 10_000);
    if (disk === undefined) return;
    const folder = join(disk, 'data');
    const parent = temporaryFolder();
    const file = join(parent, 'backup.sqlite');
    // On the disk itself the store would stay open until it is garbage-collected.
    await (await makeSessions(join(parent, 'data'))).close();
    cpSync(join(parent, 'data'), folder, { recursive: true });
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const message =
      `The gateway may not write to '${folder}' (EROFS): give its user write permission, or choose another folder ` +
      'with --data.';
    await assert.rejects(openSessions(folder), { name: 'FolderError', message });
    assert.deepEqual(await backup(folder, file), { sessions: 3 });
    await assert.rejects(restore(folder, file), { name: 'FolderError', message });
    await assert.rejects(backup(folder, join(disk, 'backup.sqlite')), {
      name: 'FolderError',
      message: `The backup '${disk}/backup.sqlite' cannot be written (EROFS): choose another place.`,
    });
  });

  test('that is too small for a backup, or for a restored one, is named, and left as it was', async (t) => {
    const disk = mount(t, 100);
    if (disk === undefined) return;
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const file = join(parent, 'backup.sqlite');
    const store = await makeSessions(folder);
    t.after(() => store.close());

    await (await devicesOf(store))
      .get(CONTENT[0]?.numero ?? '')
      .auth.keys.set({ 'device-list': { large: ['x'.repeat(200_000)] } });
    const target = join(disk, 'backup.sqlite');
    await assert.rejects(backup(folder, target), {
      name: 'FolderError',
      message: `The backup '${target}' cannot be written (SQLITE_FULL): choose another place.`,
    });
    assert.deepEqual(readdirSync(disk), []);
    assert.deepEqual(await backup(folder, file), { sessions: 3 });
    await assert.rejects(restore(join(disk, 'data'), file), {
      name: 'FolderError',
      message: `No space left on the disk of '${disk}/data': free some and start again.`,
    });
    assert.deepEqual(await contentOf(store), CONTENT);
  });
});
