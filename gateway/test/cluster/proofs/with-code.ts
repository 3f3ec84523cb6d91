import assert from 'node:assert/strict';
import { STATES } from '../../../../src/wire.ts';
import { until } from '../../../../test/support/until.ts';
import { layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import type { Proof } from './proof.ts';

const NUMERO = '5215550001111';
const LATER = '5215550002222';

/** The owner of a session that shows a code dies: whoever takes it over shows none until somebody asks. */
export const withCode: Proof = async (scope) => {
  const lab = await layOutCluster(scope, { lease: SHORT_LEASE });
  const [first] = lab.nodes;
  await first?.levanta(NUMERO);
  await until(async () => (await first?.session(NUMERO))?.qrCode, 'a code');
  const owner = (await lab.owners()).get(NUMERO) ?? assert.fail('nobody owns it');
  const panel = await lab.panel(lab.nodes.find((node) => node !== owner) ?? owner);
  await owner.kill();

  const taker = await until(async () => {
    const next = (await lab.owners()).get(NUMERO);
    return next?.isServing ? next : undefined;
  }, 'a takeover');
  for (const node of lab.serving) await node.state(NUMERO, STATES.disconnected);
  // A code that nobody asked for would be there before that of a later session.
  await lab.link(LATER, taker);
  const session = { numero: NUMERO, state: STATES.disconnected, waiting: false };
  for (const node of lab.serving) assert.deepEqual(await node.session(NUMERO), session);
  assert.deepEqual((await panel.sessions())[0], session);
  assert.equal(lab.whatsapp.registrations, 2, 'clients that came for a code');

  await lab.link(NUMERO);
  assert.equal(lab.whatsapp.registrations, 3);
  await lab.everyMessageDecrypts();
  return '1 takeover of a session with a code: DESCONECTADO, 0 codes unasked';
};
