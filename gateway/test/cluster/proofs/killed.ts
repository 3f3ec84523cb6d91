import { layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { median, type Proof, seconds } from './proof.ts';

/** An owner is killed, and the others take its numeros over; a new gateway takes its place. */
export const killed: Proof = async (scope, { rounds, random, numeros, lease = SHORT_LEASE }) => {
  const lab = await layOutCluster(scope, { lease });
  await lab.linkMany(numeros);
  await lab.everyMessageDecrypts();
  const times: number[] = [];
  let takeovers = 0;
  for (let round = 0; round < rounds; round++) {
    await lab.even();
    await lab.allConnected();
    const victim = random.pick(lab.serving);
    takeovers += (await lab.ownedBy(victim)).length;
    const begun = performance.now();
    await victim.kill();
    await lab.bury(victim);
    await lab.allConnected();
    times.push(performance.now() - begun);
    await lab.everyMessageDecrypts();
    if (round < rounds - 1) await lab.add();
  }
  lab.noSecondLogin();
  lab.noNewRegistration();
  return `${rounds} rounds, ${takeovers} takeovers, median ${seconds(median(times))}, 0 conflicts, 0 registrations`;
};
