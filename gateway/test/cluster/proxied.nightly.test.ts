import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { call, itemOf } from '../support/gateway.ts';
import { Proxies } from '../support/proxies.ts';
import { layOutCluster } from './support/cluster-lab.ts';
import { SHORT_LEASE } from './support/lease.ts';

const NUMERO = '5215550001111';
const EXIT = '127.0.0.14';

test('a session whose proxy fails waits for it at the gateway that takes it over after the lease of a dead one', async (t) => {
  const proxy = await Proxies.start(t).open('http', EXIT);
  const lab = await layOutCluster(t, { nodes: 1, lease: SHORT_LEASE });
  const [first = assert.fail('there is no gateway')] = lab.nodes;
  await lab.link(NUMERO);
  await call(first, `/api/session/${NUMERO}/details`, { method: 'PUT', body: { proxy: proxy.url } });
  await until(() => lab.whatsapp.addressesSince(0).includes(EXIT), 'the proxy');
  await first.state(NUMERO, STATES.connected);
  const { mark } = lab.whatsapp;
  await proxy.set('failing');
  await proxy.cut();
  const waits = async (node: typeof first) => (await itemOf(node, NUMERO))?.reason?.code === 'proxy';
  await until(() => waits(first), 'the reason');
  await first.kill();
  const second = await lab.add();
  await until(() => waits(second), 'the reason again', 60_000);
  assert.deepEqual(lab.whatsapp.addressesSince(mark), []);
  await proxy.set('fair');
  await lab.allConnected();
  assert.deepEqual(lab.whatsapp.addressesSince(mark), [EXIT]);
});
