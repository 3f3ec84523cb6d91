import { setTimeout as wait } from 'node:timers/promises';
import type { Sql } from '../../../src/ledger/database.ts';
import { layOutCluster } from '../support/cluster-lab.ts';
import { median, type Proof, seconds } from './proof.ts';

/** How long gateways get no notifications, in milliseconds. */
const OUTAGE = 2_500;
const INTERVAL = 20;

/** Gateways lose the connections that listen for notifications: their panels catch up with what happened meanwhile. */
export const unnotified: Proof = async (scope, { rounds, random, numeros }) => {
  const lab = await layOutCluster(scope);
  await lab.linkMany(numeros);
  await lab.even();
  await lab.allConnected();
  const panels = await Promise.all(lab.nodes.map((node) => lab.panel(node)));
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const [gone, back] = [random.pick(lab.numeros), random.pick(lab.numeros)];
    const outage = lab.query((sql) => endListeners(sql, OUTAGE));
    lab.whatsapp.phone(back).cutLine();
    lab.whatsapp.phone(gone).unlink();
    lab.numeros.splice(lab.numeros.indexOf(gone), 1);
    await outage;
    const begun = performance.now();
    await lab.allConnected();
    for (const panel of panels) await lab.showsTable(panel);
    times.push(performance.now() - begun);
    await lab.link(gone, random.pick(lab.serving));
  }
  const loads = panels.reduce((sum, panel) => sum + panel.loads, 0) - panels.length;
  return `${rounds} rounds, every panel right ${seconds(median(times))} after, ${loads} lists fetched again`;
};

/** Ends the connections that listen, again and again for `time` milliseconds. */
export async function endListeners(sql: Sql, time: number): Promise<void> {
  const end = performance.now() + time;
  while (performance.now() < end) {
    await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name LIKE '%listener' AND datname = current_database()`;
    await wait(INTERVAL);
  }
}
