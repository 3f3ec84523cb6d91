import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a lock that has a package without its integrity is refused', () => {
  const lock = join(temporaryFolder(), 'package-lock.json');
  const check = (packages: object) => {
    writeFileSync(lock, JSON.stringify({ packages }));
    return spawnSync(process.execPath, ['scripts/check-lock.mjs', lock], { encoding: 'utf8' });
  };
  const sound = { '': { name: 'own' }, 'node_modules/sound': { integrity: 'sha512-AA==' } };
  assert.equal(check(sound).status, 0);
  const { status, stderr } = check({ ...sound, 'node_modules/odd': { version: '1.0.0' } });
  assert.equal(status, 1);
  assert.equal(stderr, `${lock} has no integrity for node_modules/odd.\n`);
});
