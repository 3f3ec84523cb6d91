import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../../../../test/support/until.ts';
import { type ClusterLab, layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { median, type Proof, seconds } from './proof.ts';

/** The database crashes and is back at once: nothing moves. */
export const restarted: Proof = async (scope, { rounds, numeros }) => {
  const lab = await layOutCluster(scope, { lease: SHORT_LEASE });
  await settle(lab, numeros);
  const owners = await lab.owners();
  const { logins } = lab;
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await lab.server.restart();
    await lab.everyMessageDecrypts();
    times.push(performance.now() - begun);
    await outlastLease(lab);
    await lab.allConnected();
    assert.deepEqual(await lab.owners(), owners, 'owners');
    assert.equal(lab.logins, logins, 'logins');
  }
  lab.noNewRegistration();
  return `${rounds} rounds, median ${seconds(median(times))} until every message was sent, 0 moves, 0 logins, 0 registrations`;
};

/** The database is away for longer than a lease: everything is let go, and comes back with it. */
export const away: Proof = async (scope, { rounds, numeros }) => {
  const lab = await layOutCluster(scope, { lease: SHORT_LEASE });
  await settle(lab, numeros);
  const lettings: number[] = [];
  const returns: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const begun = performance.now();
    await lab.server.stop('immediate');
    await until(() => lab.isSilent, 'all lines to be closed', 60_000);
    lettings.push(performance.now() - begun);
    for (const node of lab.serving) {
      assert.equal((await node.list()).length, numeros, 'panels still see the list');
      const answer = await node.levanta(lab.numeros[0] ?? '');
      assert.equal(answer.status, 503);
      assert.ok(answer.headers.get('retry-after'));
    }
    await lab.server.start();
    const back = performance.now();
    await lab.allConnected();
    returns.push(performance.now() - back);
    await lab.everyMessageDecrypts();
  }
  lab.noSecondLogin();
  lab.noNewRegistration();
  const times = `let go after ${seconds(median(lettings))}, back ${seconds(median(returns))} after the database`;
  return `${rounds} rounds, median ${times}, 0 conflicts, 0 registrations`;
};

/** The primary crashes, and its synchronous standby is promoted: nothing that was confirmed is lost. */
export const promoted: Proof = async (scope, { numeros }) => {
  const lab = await layOutCluster(scope, { lease: SHORT_LEASE, hasStandby: true });
  await settle(lab, numeros);
  const begun = performance.now();
  await lab.failOver();
  await lab.everyMessageDecrypts();
  const time = performance.now() - begun;
  await outlastLease(lab);
  await lab.allConnected();
  await lab.everyMessageDecrypts();
  lab.noSecondLogin();
  lab.noNewRegistration();
  return `${seconds(time)} until every message was sent, ${lab.logins - numeros} logins, 0 conflicts, 0 registrations`;
};

/** Waits until whatever is to move has moved. */
function outlastLease({ lease }: ClusterLab): Promise<void> {
  return wait((lease + 3) * 1_000);
}

async function settle(lab: ClusterLab, numeros: number): Promise<void> {
  await lab.linkMany(numeros);
  await lab.even();
  await lab.allConnected();
  await lab.everyMessageDecrypts();
}
