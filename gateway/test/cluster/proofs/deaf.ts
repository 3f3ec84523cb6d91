import { setTimeout as wait } from 'node:timers/promises';
import { type ClusterLab, layOutCluster } from '../support/cluster-lab.ts';
import { median, type Proof, seconds } from './proof.ts';

/** How long gateways hear nothing of each other, in milliseconds. */
const DEAFNESS = 2_500;
const INTERVAL = 20;

/** Gateways lose the connections by which they hear of each other: their panels catch up with what happened meanwhile. */
export const deaf: Proof = async (scope, { rounds, random, numeros }) => {
  const lab = await layOutCluster(scope);
  await lab.linkMany(numeros);
  await lab.even();
  await lab.allConnected();
  const panels = await Promise.all(lab.nodes.map((node) => lab.panel(node)));
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [gone, back] = [random.pick(lab.numeros), random.pick(lab.numeros)];
    const deafened = deafen(lab);
    lab.whatsapp.phone(back).cutLine();
    lab.whatsapp.phone(gone).unlink();
    lab.numeros.splice(lab.numeros.indexOf(gone), 1);
    await deafened;
    const begun = performance.now();
    await lab.allConnected();
    for (const panel of panels) await lab.showsTable(panel);
    times.push(performance.now() - begun);
    await lab.link(gone, random.pick(lab.serving));
  }
  const loads = panels.reduce((sum, panel) => sum + panel.loads, 0) - panels.length;
  return `${rounds} rounds, every panel right ${seconds(median(times))} after, ${loads} lists fetched again`;
};

/** Ends the connections that listen, again and again. */
async function deafen(lab: ClusterLab): Promise<void> {
  await lab.query(async (sql) => {
    const end = performance.now() + DEAFNESS;
    while (performance.now() < end) {
      await sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name LIKE '%listener' AND datname = current_database()`;
      await wait(INTERVAL);
    }
  });
}
