import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';

const NAME = 'whatsapp-operadores.service';
const COMMAND = '/opt/whatsapp-operadores/node_modules/.bin/whatsapp-operadores-gateway';
/** As systemd rates it: 0 is locked up, 10 is open. Most of what is left is the network. */
const MAX_EXPOSURE = 1.5;

const text = readFileSync(new URL(`../../deploy/${NAME}`, import.meta.url), 'utf8');
const skip = spawnSync('systemd-analyze', ['--version']).error ? 'there is no systemd-analyze' : false;

test('systemd finds nothing wrong with the service', { skip }, () => {
  const folder = temporaryFolder();
  const command = join(folder, 'gateway');
  writeFileSync(command, '#!/bin/sh\n');
  chmodSync(command, 0o755);
  assert.ok(text.includes(`ExecStart=${COMMAND}\n`));
  const unit = join(folder, NAME);
  writeFileSync(unit, text.replace(COMMAND, command));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
  assert.deepEqual({ status, said: stdout + stderr }, { status: 0, said: '' });
});

test('systemd rates the service as well confined', { skip }, () => {
  const unit = join(temporaryFolder(), NAME);
  writeFileSync(unit, text);
  const limit = `--threshold=${MAX_EXPOSURE * 10}`;
  const { status, stdout } = spawnSync(
    'systemd-analyze',
    ['security', '--offline=true', '--no-pager', limit, unit],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout.split('\n').at(-2));
});
