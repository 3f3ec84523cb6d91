import { layOutCluster } from '../support/cluster-lab.ts';
import { median, type Proof, seconds } from './proof.ts';

/** A gateway joins and gets its share; another one is stopped, and gives up its own at once. */
export const stopped: Proof = async (scope, { rounds, random, numeros }) => {
  const lab = await layOutCluster(scope, { nodes: 2 });
  await lab.linkMany(numeros);
  const joins: number[] = [];
  const stops: number[] = [];
  let moved = 0;
  for (let round = 0; round < rounds; round++) {
    const newcomer = await lab.add();
    const joined = performance.now();
    await lab.even();
    await lab.allConnected();
    joins.push(performance.now() - joined);
    const given = await lab.ownedBy(newcomer);
    const leaver = random.pick(lab.serving);
    const left = performance.now();
    moved += given.length + (await lab.ownedBy(leaver)).length;
    await leaver.stop();
    await lab.allConnected();
    stops.push(performance.now() - left);
    await lab.everyMessageDecrypts();
  }
  lab.noSecondLogin();
  lab.noNewRegistration();
  const times = `fair shares after ${seconds(median(joins))}, taken over ${seconds(median(stops))} after a stop`;
  return `${rounds} rounds, ${moved} moves, median ${times}, 0 conflicts, 0 registrations`;
};
