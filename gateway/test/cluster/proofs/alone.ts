import assert from 'node:assert/strict';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { built } from '../../support/built.ts';
import { address, run } from '../../support/command.ts';
import { listOf } from '../../support/gateway.ts';
import type { Proof } from './proof.ts';

const NO_POSTGRES = built('test/preloads/no-postgres');

/** Without `--database` a gateway loads nothing of PostgreSQL; with it, it does. */
export const alone: Proof = async (scope) => {
  const engines = [
    ['--engine', 'simulated'],
    ['--engine', 'whatsapp', '--whatsapp-url', 'ws://127.0.0.1:9/', '--data', temporaryFolder()],
  ];
  const start = (args: readonly string[]) => run(scope, ['--port', '0', ...args], { imports: NO_POSTGRES });
  for (const args of engines) {
    const gateway = start(args);
    assert.ok(Array.isArray(await listOf({ url: await address(gateway) })));
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0);
  }
  const shared = start(['--database', 'postgres://127.0.0.1:9/x']);
  assert.equal(await shared.ended, 3);
  return `${engines.length} gateways without PostgreSQL, one with it`;
};
