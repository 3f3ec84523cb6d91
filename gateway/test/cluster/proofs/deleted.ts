import assert from 'node:assert/strict';
import { until } from '../../../../test/support/until.ts';
import { layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { type Proof, seconds } from './proof.ts';

const NUMERO = '5215550001111';

/** The owner dies before WhatsApp has unlinked a deleted session: whoever takes it over does that. */
export const deleted: Proof = async (scope, { numeros }) => {
  const lab = await layOutCluster(scope, { lease: SHORT_LEASE });
  await lab.linkMany(numeros);
  await lab.link(NUMERO);
  lab.numeros.splice(lab.numeros.indexOf(NUMERO), 1);
  await lab.even();
  await lab.allConnected();
  const phone = lab.whatsapp.phone(NUMERO);
  const owner = (await lab.owners()).get(NUMERO) ?? assert.fail('nobody owns it');

  phone.losesRemoval = true;
  const answer = owner.delete(NUMERO).catch(() => {});
  await until(() => !phone.losesRemoval, 'the request to unlink');
  const begun = performance.now();
  await owner.kill();
  await answer;
  assert.equal(phone.devices.length, 1, 'it is still linked');
  await until(() => phone.devices.length === 0, 'the session to be unlinked', 60_000);
  await until(async () => !(await lab.owners()).has(NUMERO), 'the session to be gone', 60_000);
  const time = performance.now() - begun;
  for (const node of lab.serving) {
    await until(async () => (await node.session(NUMERO)) === undefined, 'the lists to be without it');
  }
  const keys = await lab.query((sql) => sql`SELECT FROM key WHERE session = ${NUMERO}`);
  assert.equal(keys.length, 0);
  assert.equal(phone.conflicts, 0);
  await lab.allConnected();
  await lab.everyMessageDecrypts();
  lab.noSecondLogin();
  return `unlinked by another gateway after ${seconds(time)}`;
};
