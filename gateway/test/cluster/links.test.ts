import assert from 'node:assert/strict';
import { test } from 'node:test';
import { io } from 'socket.io-client';
import { STATES, type WirePairing, type WireSentLink } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import type { WireLinkOver, WireLinkView } from '../../link-page/wire.ts';
import { call, itemOf, startGateway } from '../support/gateway.ts';
import { layOutCluster } from './support/cluster-lab.ts';
import type { ClusterNode } from './support/cluster-node.ts';
import { startPostgres } from './support/postgres.ts';

const NUMERO = '5215550001111';

test('the page behind a link works at a gateway that does not carry its session', async (t) => {
  const lab = await layOutCluster(t, { nodes: 2 });
  const [first] = lab.nodes;
  assert.ok(first);
  assert.equal((await first.levanta(NUMERO)).status, 200);
  await until(async () => (await first.session(NUMERO))?.qrCode, 'a code');
  const owner = await until(async () => (await lab.owners()).get(NUMERO), 'an owner');
  const stranger = lab.nodes.find((node) => node !== owner);
  assert.ok(stranger);

  const { views, overs, post } = await open(t, stranger, NUMERO);
  await until(() => views.at(-1)?.qrCode, 'the code to scan');

  // It shows a code: a start would interrupt it.
  assert.equal((await post('start')).status, 409);
  const { status, body } = await post('pairing');
  assert.equal(status, 200);
  const { code } = body as WirePairing;
  await until(() => views.at(-1)?.pairing?.code === code, 'the code to type');
  await lab.whatsapp.phone(NUMERO).type(code);
  await until(() => overs.length > 0, 'the end of the link');
  assert.deepEqual(overs, [{ reason: 'linked' }]);
  await lab.state(NUMERO, STATES.connected, stranger);
  assert.equal((await post('pairing')).status, 410);

  // Without a phone again, the page asks for a code through the same gateway.
  assert.equal((await call(stranger, `/api/session/${NUMERO}/unlink`, { method: 'POST' })).status, 202);
  await lab.state(NUMERO, STATES.disconnected, stranger);
  const again = await open(t, stranger, NUMERO);
  assert.ok((await again.post('start')).status < 300);
  await until(() => again.views.at(-1)?.qrCode, 'the next code to scan');
});

test('a valid link is not over while the database is away', async (t) => {
  const server = await startPostgres(t);
  const gateway = await startGateway(t, { cluster: { database: await server.freshDatabase(), lease: 5 } });
  assert.equal((await call(gateway, `/api/session/levanta/${NUMERO}`)).status, 200);
  const { post } = await open(t, gateway, NUMERO);
  await until(async () => (await itemOf(gateway, NUMERO))?.qrCode, 'a code');
  await server.stop();
  // Its lease ends while it tries again, and has ended then.
  for (const _ of ['within the lease', 'after it']) {
    const { status, body } = await post('pairing');
    assert.deepEqual(
      [status, Object(body).message],
      [503, 'El servidor no llega a su base de datos: inténtalo de nuevo en unos segundos'],
    );
  }
  await server.start();
  await until(async () => (await post('start')).status < 500, 'the database to be there again');
});

/** Creates a link at a gateway, and opens its page there. */
async function open(scope: Scope, node: Pick<ClusterNode, 'url'>, numero: string) {
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
