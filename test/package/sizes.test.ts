import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('the script, everything inside, is at most 135,000 bytes by gzip -9', (t) => {
  // The program's: that of Node differs from version to version.
  const { length } = execFileSync('gzip', ['-9', '--stdout', 'dist/whatsapp-operadores.js']);
  t.diagnostic(`${length} bytes`);
  // React 19.3 adds 9 kB of view transitions and fragment refs, which the panel does not use.
  assert.ok(length <= 135_000, `${length} bytes`);
});
