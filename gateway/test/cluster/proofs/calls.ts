import assert from 'node:assert/strict';
import { STATES } from '../../../../src/wire.ts';
import { until } from '../../../../test/support/until.ts';
import type { Answer } from '../../support/gateway.ts';
import { type ClusterLab, layOutCluster } from '../support/cluster-lab.ts';
import type { ClusterNode } from '../support/cluster-node.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { type Proof, seconds } from './proof.ts';

const NUMERO = '5215550001111';
const OTHER = '5215550002222';

/** Calls at a gateway that does not own the session; while nobody does, they are refused for a while. */
export const calls: Proof = async (scope, { lease = SHORT_LEASE }) => {
  const lab = await layOutCluster(scope, { lease });
  const [first, second] = lab.nodes;
  assert.ok(first && second);
  await lab.link(NUMERO, first);
  await lab.link(OTHER, first);
  await lab.even();
  await lab.allConnected();
  const owner = await ownerOf(lab, NUMERO);
  const stranger = otherThan(lab, owner);

  await lab.send(NUMERO, 'Hola', stranger);
  const { messages, failures } = lab.receiver;
  await until(() => messages.length === 1, 'the message');

  const { logins } = lab.whatsapp.phone(NUMERO);
  assert.deepEqual((await stranger.levanta(NUMERO)).body, { numero: NUMERO });
  await until(() => lab.whatsapp.phone(NUMERO).logins > logins, 'the session to start again');
  await stranger.state(NUMERO, STATES.connected);

  const panel = await lab.panel(first);
  assert.equal((await otherThan(lab, await ownerOf(lab, OTHER)).delete(OTHER)).status, 204);
  assert.deepEqual(lab.whatsapp.phone(OTHER).devices, []);
  lab.numeros.splice(lab.numeros.indexOf(OTHER), 1);
  // The third gateway hears of it after the answer.
  for (const node of lab.serving) {
    await until(async () => (await node.session(OTHER)) === undefined, 'the lists to be without it');
  }
  await panel.load();
  await lab.showsTable(panel);
  assert.equal((await stranger.delete(OTHER)).status, 404);

  const begun = performance.now();
  const last = await ownerOf(lab, NUMERO);
  const letTake = await lab.holdClaims();
  await last.kill();
  for (const node of lab.serving) {
    isRefused(await node.levanta(NUMERO));
    isRefused(await node.send(NUMERO, lab.receiver.number, 'Hola'));
    isRefused(await node.delete(NUMERO));
  }
  await letTake();
  await lab.bury(last);
  await lab.send(NUMERO, 'Ya', otherThan(lab, last));
  const time = performance.now() - begun;
  await until(() => messages.some(({ text }) => text === 'Ya'), 'the message');
  assert.deepEqual(failures, []);
  lab.noSecondLogin();
  return `3 calls forwarded, 6 refused while moving, sent again after ${seconds(time)}`;
};

function isRefused({ status, headers }: Answer): void {
  assert.equal(status, 503);
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
}

async function ownerOf(lab: ClusterLab, numero: string): Promise<ClusterNode> {
  return (await lab.owners()).get(numero) ?? assert.fail(`nobody owns ${numero}`);
}

function otherThan(lab: ClusterLab, node: ClusterNode): ClusterNode {
  return lab.serving.find((other) => other !== node) ?? assert.fail('no gateway is left');
}
