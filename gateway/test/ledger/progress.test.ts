import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { runCommand } from '../../src/commands.ts';
import type { StoreCommand } from '../../src/config.ts';
import { freshDatabase } from '../cluster/support/postgres.ts';
import { makeKey, makeSessions } from './support/stores.ts';

/** Runs a command by a clock that is so fast that all of its progress is shown. */
async function progressOf(t: TestContext, command: StoreCommand): Promise<string[]> {
  let now = 0;
  const clock = t.mock.method(performance, 'now', () => {
    now += 10_000;
    return now;
  });
  const lines: string[] = [];
  const stderr = t.mock.method(process.stderr, 'write', (line: string) => {
    lines.push(line.trimEnd());
    return true;
  });
  const printed: string[] = [];
  try {
    assert.equal(await runCommand(command, (line) => printed.push(line)), 0);
  } finally {
    stderr.mock.restore();
    clock.mock.restore();
  }
  assert.match(printed[0] ?? '', /^3 sessions /);
  return lines;
}

function counts(done: string): string[] {
  return [0, 1, 2].map((count) => `${count} of 3 sessions ${done}`);
}

describe('how far it is, shows', () => {
  test('backup, and restore', async (t) => {
    const parent = temporaryFolder();
    const [folder, file] = [join(parent, 'data'), join(parent, 'backup')];
    await (await makeSessions(folder)).close();
    assert.deepEqual(await progressOf(t, { name: 'backup', folder, file }), [
      '0 MB copied',
      'Checking the backup',
      'Writing to the disk',
    ]);
    assert.deepEqual(await progressOf(t, { name: 'restore', folder, file }), [
      'Checking the backup',
      '0 of 0 MB copied',
      'Checking the backup',
      'Writing to the disk',
    ]);
  });

  test('rekey of a folder', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const newKeyFile = makeKey(parent, 'cd');
    await (await makeSessions(folder)).close();
    assert.deepEqual(await progressOf(t, { name: 'rekey', folder, newKeyFile }), []);
  });

  test('migrate, and rekey of a database', async (t) => {
    const parent = temporaryFolder();
    const folder = join(parent, 'data');
    const keyFile = makeKey(parent, 'cd');
    await (await makeSessions(folder)).close();
    const database = await freshDatabase();
    assert.deepEqual(await progressOf(t, { name: 'migrate', to: 'database', folder, database }), [
      ...counts('read'),
      ...counts('written'),
    ]);
    const rekey = { name: 'rekey', folder, database, newKeyFile: keyFile } as const;
    assert.deepEqual(await progressOf(t, rekey), counts('encrypted'));
    const back = { name: 'migrate', to: 'data', folder: join(parent, 'other'), database, keyFile } as const;
    assert.deepEqual(await progressOf(t, back), [...counts('read'), ...counts('written')]);
  });
});
