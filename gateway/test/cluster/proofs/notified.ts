import assert from 'node:assert/strict';
import { until } from '../../../../test/support/until.ts';
import { SECRET, startReceiver } from '../../notify/support/receiver.ts';
import { layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { median, type Proof, seconds } from './proof.ts';

/** Longer than the pause between two notifications, and than an attempt is left to its gateway, in milliseconds. */
const PATIENCE = 180_000;

/**
 * A gateway is killed while it delivers a notification: another one delivers it by the same id, nothing is told twice,
 * and the killed gateway's own numbers, which others take over in time, are not told at all.
 */
export const notified: Proof = async (scope, { rounds, random, numeros }) => {
  const receiver = await startReceiver(scope);
  const lab = await layOutCluster(scope, { nodes: 0, lease: SHORT_LEASE });
  const pathOf = (index: number) => `/avisos/${index}`;
  const add = () => {
    const url = new URL(pathOf(lab.nodes.length), receiver.url).href;
    return lab.add(['--notify', url, '--notify-secret', SECRET, '--notify-after', '1']);
  };
  for (let count = 0; count < 3; count++) await add();
  await lab.linkMany(numeros);
  await lab.allConnected();
  const times: number[] = [];
  const expected: string[] = [];
  const told = async () => {
    await until(() => receiver.told.length >= expected.length, `${expected}`, PATIENCE);
    assert.deepEqual(receiver.told, expected);
  };
  for (let round = 0; round < rounds; round++) {
    await lab.even();
    receiver.status = undefined;
    const before = receiver.deliveries.length;
    const fallen = lab.numeros[round] ?? assert.fail('there are too few numeros');
    lab.whatsapp.phone(fallen).unlink();
    const { path, id } = await until(() => receiver.deliveries[before], 'an attempt', PATIENCE);
    const victim = lab.nodes.find((_, index) => pathOf(index) === path) ?? assert.fail(path);
    await victim.kill();
    const begun = performance.now();
    receiver.status = 200;
    expected.push(`unlinked ${fallen}`);
    await told();
    times.push(performance.now() - begun);
    const attempts = receiver.deliveries.slice(before);
    assert.deepEqual(new Set(attempts.map((attempt) => attempt.id)), new Set([id]));
    assert.notEqual(attempts.at(-1)?.path, path, 'another gateway delivers it');

    lab.numeros.splice(round, 1);
    await lab.allConnected();
    await lab.link(fallen, random.pick(lab.serving));
    expected.push(`back ${fallen}`);
    await told();
    if (round < rounds - 1) await add();
  }
  assert.equal(receiver.accepted.size, expected.length);
  return `${rounds} rounds, delivered ${seconds(median(times))} after the kill, ${expected.length} notifications, nothing twice`;
};
