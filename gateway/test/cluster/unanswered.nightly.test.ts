import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NUMERO } from '../support/gateway.ts';
import { layOutCluster } from './support/cluster-lab.ts';
import { SHORT_LEASE } from './support/lease.ts';

/** A lease, and what a burial takes after it on a busy machine, in milliseconds. */
const MOST = 25_000;

test('a call to a gateway that froze is answered once its lease is over and the others have buried it', async (t) => {
  const lab = await layOutCluster(t, { nodes: 2, engine: 'simulated', lease: SHORT_LEASE });
  const [owner, other] = lab.nodes;
  assert.ok(owner && other);
  assert.equal((await owner.levanta(NUMERO)).status, 200);
  owner.freeze();
  const begun = performance.now();
  const [sent, started, deleted] = await Promise.all([
    other.send(NUMERO, '34600000001', 'Hola'),
    other.levanta(NUMERO),
    other.delete(NUMERO),
  ]);
  assert.ok(performance.now() - begun < MOST, `after ${performance.now() - begun} ms`);
  assert.equal(sent.status, 504);
  assert.match(JSON.stringify(sent.body), /puede que el mensaje no llegue/);
  for (const { status, headers } of [started, deleted]) {
    assert.equal(status, 503);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  }
  owner.thaw();
  await lab.even();
  assert.equal((await other.levanta(NUMERO)).status, 200);
});
