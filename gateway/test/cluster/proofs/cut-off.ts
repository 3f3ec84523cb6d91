import { until } from '../../../../test/support/until.ts';
import { layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { median, type Proof, seconds } from './proof.ts';

/** One gateway loses its way to the database, without a sign: it lets go before others take over. */
export const cutOff: Proof = async (scope, { rounds, random, numeros }) => {
  const lab = await layOutCluster(scope, { lease: SHORT_LEASE });
  await lab.linkMany(numeros);
  await lab.everyMessageDecrypts();
  const lettings: number[] = [];
  const takings: number[] = [];
  let taken = 0;
  for (let round = 0; round < rounds; round++) {
    await lab.even();
    await lab.allConnected();
    const victim = random.pick(lab.serving);
    const owned = await lab.ownedBy(victim);
    taken += owned.length;
    const begun = performance.now();
    victim.cutOff();
    const isSilent = () => owned.every((numero) => !lab.whatsapp.phone(numero).online);
    await until(isSilent, 'the gateway to let go', 60_000);
    lettings.push(performance.now() - begun);
    await lab.allConnected();
    takings.push(performance.now() - begun);
    lab.noSecondLogin();
    await lab.everyMessageDecrypts();
    victim.reconnect();
    await lab.even();
    await lab.allConnected();
    lab.noSecondLogin();
    await lab.everyMessageDecrypts();
  }
  lab.noNewRegistration();
  const times = `let go after ${seconds(median(lettings))}, back after ${seconds(median(takings))}`;
  return `${rounds} rounds, ${taken} takeovers, median ${times}, 0 conflicts, 0 registrations`;
};
