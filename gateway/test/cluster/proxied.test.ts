import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { call, itemOf } from '../support/gateway.ts';
import { LOGIN, Proxies } from '../support/proxies.ts';
import { layOutCluster } from './support/cluster-lab.ts';

const NUMERO = '5215550001111';
const EXIT = '127.0.0.14';

test('a session keeps its proxy at the gateway that takes it over, and never connects without it', async (t) => {
  const proxy = await Proxies.start(t).open('socks5', EXIT, LOGIN);
  const lab = await layOutCluster(t, { nodes: 2 });
  await lab.link(NUMERO);
  const owner = (await lab.owners()).get(NUMERO) ?? assert.fail('nobody owns it');
  const other = lab.nodes.find((node) => node !== owner) ?? assert.fail('there is one gateway');
  // Forwarded to the owner.
  const { status } = await call(other, `/api/session/${NUMERO}/details`, {
    method: 'PUT',
    body: { proxy: proxy.url },
  });
  assert.equal(status, 200);
  await until(() => lab.whatsapp.addressesSince(0).includes(EXIT), 'the proxy');
  await other.state(NUMERO, STATES.connected);
  assert.equal((await itemOf(other, NUMERO))?.proxy, proxy.name);
  const { mark } = lab.whatsapp;

  await owner.stop();
  await lab.allConnected();
  assert.equal((await lab.owners()).get(NUMERO), other);
  assert.deepEqual(lab.whatsapp.addressesSince(mark), [EXIT]);
  assert.equal((await itemOf(other, NUMERO))?.proxy, proxy.name);

  const rows = await lab.query((sql) => sql`SELECT session::text FROM session`);
  assert.doesNotMatch(JSON.stringify(rows), /clave-secreta/);
});
