import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { layOutCluster } from './support/cluster-lab.ts';

/** Of each statement, in milliseconds. */
const DELAY = 500;

test('everything works, late, and no lease ends, on a database that takes half a second for a statement', async (t) => {
  const lab = await layOutCluster(t, { lease: 15 });
  const { nodes } = lab;
  await lab.linkMany(3);
  await lab.even();
  await lab.allConnected();
  for (const { links } of nodes) for (const link of links) link.slow(DELAY);
  const [first, second] = nodes;
  assert.ok(first && second);
  await lab.link('5215550009999', second);
  await lab.everyMessageDecrypts();
  // Longer than a lease.
  await wait(1.5 * lab.lease * 1_000);
  await lab.everyMessageDecrypts();
  await lab.even();
  assert.equal((await first.delete('5215550009999')).status, 204);
  lab.numeros.pop();
  await lab.allConnected();
  await lab.showsTable(await lab.panel(first));
  for (const { log } of nodes)
    assert.deepEqual(
      log.filter((line) => /lease is over/.test(line)),
      [],
    );
  lab.noSecondLogin();
  const third = await lab.add();
  await lab.even();
  assert.ok((await lab.ownedBy(third)).length > 0 || lab.numeros.length < 4);
  lab.noSecondLogin();
});
