import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

test("the script's hash is no part of what npm pack --json prints", () => {
  const build = `
    import { integrity } from './scripts/integrity-plugin.mjs';
    await integrity.writeBundle({ file: 'LICENSE' });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', build], {
    encoding: 'utf8',
  });
  assert.match(stderr, /^LICENSE: integrity="sha384-[\w+/]{64}"\n$/);
  assert.equal(stdout, '');
});
