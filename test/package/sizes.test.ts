import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('the script, everything inside, is at most 139,500 bytes by gzip -9', (t) => {
  // The program's: that of Node differs from version to version.
  const { length } = execFileSync('gzip', ['-9', '--stdout', 'dist/whatsapp-operadores.js']);
  t.diagnostic(`${length} bytes`);
  assert.ok(length <= 139_500, `${length} bytes`);
});
