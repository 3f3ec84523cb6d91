import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { RemoteName } from '../../gateway/src/engines/remote/names.ts';
import { address, type Run, run } from '../../gateway/test/support/command.ts';
import { KEY, SERVERS, StandIn } from '../../gateway/test/support/stand-in.ts';
import type { Scope } from '../support/scope.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import type { Attack } from './attack.ts';
import { Probe } from './servers/probe.ts';
import { LINKED, Scene, WAITING } from './servers/scene.ts';

/** The longest time that an answer may take, in milliseconds. */
const PATIENCE = 2_000;
/** By how much the gateway's memory may grow, in bytes: a long list, and what the garbage collector leaves. */
const GROWTH = 250_000_000;

function start(scope: Scope, name: RemoteName, standIn: StandIn, folder: string): Run {
  const args = ['--port', '0', '--engine', name, '--server', standIn.url, '--data', folder];
  return run(scope, args, { env: { WO_SERVER_KEY: KEY } });
}

export const servers: Attack = {
  name: 'servers',
  promise:
    'a broken or hostile server with sessions holds nothing up and links no wrong phone, and what is unlisted is gone',
  async round(scope, random) {
    const { name, args } = random.pick(SERVERS);
    const standIn = await StandIn.start(scope, name, ...args);
    await standIn.command({ do: 'create', name: LINKED, phone: LINKED });
    await standIn.command({ do: 'create', name: WAITING });
    const folder = temporaryFolder();
    const gateway = start(scope, name, standIn, folder);
    const url = await address(gateway);
    const probe = new Probe(scope, gateway, url);
    const scene = new Scene(random, standIn, url, join(folder, name));
    await until(() => probe.calls > 2, 'answers');
    const before = probe.memory;

    for (const [, harm] of scene.harms
      .map((one) => [random.next(), one] as const)
      .sort(([a], [b]) => a - b)) {
      await harm.call(scene);
    }
    await scene.recovers();
    await probe.end();
    const slowest = Math.round(probe.slowest);
    const grown = probe.memory - before;
    assert.ok(slowest < PATIENCE, `an answer took ${slowest} ms`);
    assert.ok(grown < GROWTH, `the memory grew by ${grown} bytes`);
    gateway.child.kill('SIGTERM');
    assert.equal(await gateway.ended, 0, gateway.output.stderr);
    assert.doesNotMatch(gateway.output.stderr, /"level":"(?:error|fatal)"/);
    return { calls: probe.calls };
  },
};
