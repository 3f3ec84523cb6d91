import assert from 'node:assert/strict';
import { until } from '../../../../test/support/until.ts';
import { built } from '../../support/built.ts';
import type { RunOptions } from '../../support/command.ts';
import { layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { median, type Proof, seconds } from './proof.ts';

const SUSPENDED_CLOCK = built('test/preloads/suspended-clock');

/** A gateway stands still for longer than its lease, and wakes up when others have its numeros. */
export const frozen: Proof = (...args) => freeze({}, ...args);

/** The same with a clock that stood still too, as in a suspended machine: only the database stops it. */
export const suspended: Proof = (...args) => freeze({ imports: SUSPENDED_CLOCK }, ...args);

const freeze = async (
  runOptions: RunOptions,
  ...[scope, { rounds, numeros }]: Parameters<Proof>
): Promise<string> => {
  const lab = await layOutCluster(scope, { nodes: 2, lease: SHORT_LEASE });
  const victim = await lab.add([], runOptions);
  await lab.linkMany(numeros);
  await lab.everyMessageDecrypts();
  const times: number[] = [];
  let taken = 0;
  for (let round = 0; round < rounds; round++) {
    await lab.even();
    await lab.allConnected();
    const owned = await lab.ownedBy(victim);
    taken += owned.length;
    const before = lab.logins;
    const begun = performance.now();
    victim.freeze();
    // Its lines stay open at WhatsApp, and its numeros CONNECTED on the list until their new owners begin.
    await until(() => lab.logins - before >= owned.length, 'the others to log in', 60_000);
    await lab.allConnected();
    times.push(performance.now() - begun);
    // WhatsApp ends the lines of the frozen one, which knows nothing of it.
    assert.equal(lab.logins - before, owned.length, 'each numero was taken over once');
    const conflicts = lab.conflicts;
    assert.ok(conflicts <= taken, 'only the lines of the frozen one were replaced');
    await lab.everyMessageDecrypts();

    victim.thaw();
    const isBack = async () => (await lab.query((sql) => sql`SELECT FROM node`)).length === lab.nodes.length;
    await until(isBack, 'the woken gateway to join again', 60_000);
    await lab.even();
    await lab.allConnected();
    assert.equal(lab.conflicts, conflicts, 'the woken one logged nothing in that another one owns');
    await lab.everyMessageDecrypts();
  }
  lab.noNewRegistration();
  return `${rounds} rounds, ${taken} takeovers, median ${seconds(median(times))}, ${lab.conflicts} lines of the frozen one replaced, 0 conflicts after it woke up, 0 registrations`;
};
