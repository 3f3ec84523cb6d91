import assert from 'node:assert/strict';
import { test } from 'node:test';
import { io } from 'socket.io-client';
import { STATES, type WirePairing, type WireSentLink } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import type { WireLinkOver, WireLinkView } from '../../link-page/wire.ts';
import { call } from '../support/gateway.ts';
import { layOutCluster } from './support/cluster-lab.ts';
import type { ClusterNode } from './support/cluster-node.ts';

const NUMERO = '5215550001111';
const PATIENCE = 60_000;

test('the page behind a link works at a gateway that does not carry its session', async (t) => {
  const lab = await layOutCluster(t, { nodes: 2 });
  const [first] = lab.nodes;
  assert.ok(first);
  assert.equal((await first.levanta(NUMERO)).status, 200);
  await until(async () => (await first.session(NUMERO))?.qrCode, 'a code', PATIENCE);
  const owner = await until(async () => (await lab.owners()).get(NUMERO), 'an owner', PATIENCE);
  const stranger = lab.nodes.find((node) => node !== owner);
  assert.ok(stranger);

  const { views, overs, post } = await open(t, stranger, NUMERO);
  await until(() => views.at(-1)?.qrCode, 'the code to scan', PATIENCE);

  // It shows a code: a start would interrupt it.
  assert.equal((await post('start')).status, 409);
  const { status, body } = await post('pairing');
  assert.equal(status, 200);
  const { code } = body as WirePairing;
  await until(() => views.at(-1)?.pairing?.code === code, 'the code to type', PATIENCE);
  await lab.whatsapp.phone(NUMERO).type(code);
  await until(() => overs.length > 0, 'the end of the link', PATIENCE);
  assert.deepEqual(overs, [{ reason: 'linked' }]);
  await lab.state(NUMERO, STATES.connected, stranger);
  assert.equal((await post('pairing')).status, 410);

  // Without a phone again, the page asks for a code through the same gateway.
  assert.equal((await call(stranger, `/api/session/${NUMERO}/unlink`, { method: 'POST' })).status, 202);
  await lab.state(NUMERO, STATES.disconnected, stranger);
  const again = await open(t, stranger, NUMERO);
  assert.ok((await again.post('start')).status < 300);
  await until(() => again.views.at(-1)?.qrCode, 'the next code to scan', PATIENCE);
});

/** Creates a link at a gateway, and opens its page there. */
async function open(scope: Scope, node: ClusterNode, numero: string) {
  const created = await call(node, `/api/session/${numero}/link`, { method: 'POST' });
  assert.equal(created.status, 200);
  const token = (created.body as WireSentLink).url.split('#')[1] ?? '';
  const views: WireLinkView[] = [];
  const overs: WireLinkOver[] = [];
  const socket = io(`${node.url}/link`, { auth: { token }, forceNew: true, transports: ['websocket'] });
  scope.after(() => socket.disconnect());
  socket.on('session', (view) => views.push(view));
  socket.on('over', (over) => overs.push(over));
  const headers = { Authorization: `Bearer ${token}` };
  const post = (name: string) => call(node, `/l/api/${name}`, { method: 'POST', headers });
  return { views, overs, post };
}
