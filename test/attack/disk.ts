import assert from 'node:assert/strict';
import { complaints } from '../../gateway/test/support/command.ts';
import { GatewayProcess } from '../../gateway/test/support/gateway-process.ts';
import { type FakeWhatsapp, startFakeWhatsapp } from '../../gateway/test/whatsapp/fake/whatsapp.ts';
import { onFolder } from '../../gateway/test/whatsapp/support/layout.ts';
import type { Scope } from '../support/scope.ts';
import type { Attack } from './attack.ts';
import type { BadDisk } from './disk/bad-disk.ts';
import { FailingDisk } from './disk/failing-disk.ts';
import { SmallDisk } from './disk/small-disk.ts';
import { NUMEROS, Operator } from './operator.ts';
import type { Random } from './random.ts';

/** How many actions happen while the disk is bad. */
const ACTIONS = 8;

/** The gateway's log lines about a disk. */
const SENTENCE =
  /^(The store (has no space left|fails) \(SQLITE_\w+\): .*\.|The keys of .* cannot be read .*|WhatsApp could not be told .*)$/;

export const disk: Attack = {
  name: 'disk',
  promise: 'a full or broken disk costs no linked session, is named as the cause, and all recovers with it',
  async round(scope, random, time) {
    const small = random.chance(0.5) ? SmallDisk.mount(random) : undefined;
    const disk = small ?? new FailingDisk(random);
    scope.after(() => disk.remove());
    const whatsapp = await startFakeWhatsapp();
    scope.after(() => whatsapp.close());
    const operator = new Operator(random, whatsapp, disk.folder);
    const start = () => startOn(disk, scope, whatsapp, operator);

    await start();
    for (const numero of NUMEROS.slice(1)) await operator.link(numero);
    const spells = time > 0 ? 5 : 1;
    for (let spell = 0; spell < spells; spell++) {
      disk.spoil();
      for (let action = 0; action < ACTIONS; action++) await operator.act();
      disk.heal();
      await operator.recover();
      await operator.check();
    }
    disk.spoil();
    await end(operator, random);
    if (time > 0) await startWhileBad(disk, scope, whatsapp);
    disk.heal();
    await start();
    await operator.check();
    await operator.deleteAll();
    assert.deepEqual(await operator.gateway.list(), []);
    await end(operator, random);
    return { spells, refusals: operator.refusals, 'deletions searched for': operator.deletions };
  },
};

function gatewayOn({ folder, runOptions }: BadDisk, scope: Scope, whatsapp: FakeWhatsapp): GatewayProcess {
  return new GatewayProcess(scope, onFolder(folder, whatsapp), runOptions);
}

async function startOn(
  disk: BadDisk,
  scope: Scope,
  whatsapp: FakeWhatsapp,
  operator: Operator,
): Promise<void> {
  operator.use(await gatewayOn(disk, scope, whatsapp).listens());
}

/** Asserts that the gateway starts, or says in one sentence why not. */
async function startWhileBad(disk: BadDisk, scope: Scope, whatsapp: FakeWhatsapp): Promise<void> {
  const gateway = gatewayOn(disk, scope, whatsapp);
  const ended = await Promise.race([gateway.run.ended, gateway.listens().then(() => 'listens')]);
  if (ended === 'listens') {
    await gateway.kill();
    return;
  }
  assert.equal(ended, 1);
  assert.match(
    gateway.run.output.stderr,
    /(The folder .* cannot be used \(.*\)|No space left on the disk of .*)\.\n$/,
  );
}

async function end(operator: Operator, random: Random): Promise<void> {
  const { gateway } = operator;
  if (random.chance(0.5)) await gateway.kill();
  else await gateway.stop();
  for (const complaint of complaints(gateway.run)) assert.match(complaint, SENTENCE);
}
