import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { releaseTimers } from './fake/leftover-timers.ts';
import { GatewayProcess, layOut, type Place } from './support/gateway-process.ts';
import { NUMERO, OTHER } from './support/lab.ts';
import { makeOld } from './support/old-store.ts';
import { filesWith } from './support/raw-files.ts';

after(releaseTimers);

/** The first checkpoint is that of the start. */
const CHECKPOINT = { at: 'wal_checkpoint', skip: 1 };

/** A folder with two linked sessions, and a gateway that is killed at the given statement. */
async function startDoomed(t: TestContext, place: Place) {
  const { folder, whatsapp } = await layOut(t);
  const doomed = await GatewayProcess.killedAt(t, folder, whatsapp, place).listens();
  await doomed.link(NUMERO);
  await doomed.link(OTHER);
  return { folder, whatsapp, doomed, restart: () => new GatewayProcess(t, folder, whatsapp).listens() };
}

describe('a gateway that is killed', () => {
  test('between a deletion and emptying the journal leaves no trace after a restart', async (t) => {
    const { folder, whatsapp, doomed, restart } = await startDoomed(t, CHECKPOINT);
    await assert.rejects(doomed.delete(NUMERO));
    assert.equal(await doomed.run.ended, null);
    assert.deepEqual(filesWith(folder, NUMERO), ['sessions.sqlite-wal']);

    const gateway = await restart();
    assert.deepEqual(filesWith(folder, NUMERO), []);
    await gateway.state(OTHER, STATES.connected);
    assert.deepEqual(
      (await gateway.list()).map(({ numero }) => numero),
      [OTHER],
    );
    assert.equal((await gateway.delete(OTHER)).status, 204);
    assert.deepEqual(filesWith(folder, '"Buffer"'), []);
    assert.equal(whatsapp.registrations, 2);
  });

  test('before the end of a deletion completes it after a restart', async (t) => {
    const { folder, doomed, restart } = await startDoomed(t, { at: 'DROP TABLE IF EXISTS keys_1' });
    await assert.rejects(doomed.delete(NUMERO));
    const gateway = await restart();
    await until(() => filesWith(folder, NUMERO).length === 0, 'nothing to be left');
    await gateway.state(OTHER, STATES.connected);
  });

  for (const at of ['journal_mode = DELETE', 'BEGIN IMMEDIATE']) {
    test(`while it shuts down (${at}) loses nothing and restores nothing`, async (t) => {
      const { folder, whatsapp, doomed, restart } = await startDoomed(t, { at });
      assert.equal((await doomed.delete(NUMERO)).status, 204);
      await doomed.stop();
      assert.equal(doomed.run.child.signalCode, 'SIGKILL');
      assert.deepEqual(filesWith(folder, NUMERO), []);
      const gateway = await restart();
      await gateway.state(OTHER, STATES.connected);
      assert.deepEqual(filesWith(folder, NUMERO), []);
      assert.equal(whatsapp.registrations, 2);
    });
  }

  for (const at of ['DROP TABLE key$', 'wal_checkpoint']) {
    test(`while it migrates an old store (${at}) loses no session`, async (t) => {
      const { folder, whatsapp, doomed, restart } = await startDoomed(t, { at: 'never' });
      await doomed.stop();
      makeOld(folder);
      const second = GatewayProcess.killedAt(t, folder, whatsapp, { at });
      await second.run.ended;
      assert.equal(second.run.child.signalCode, 'SIGKILL');
      const gateway = await restart();
      for (const numero of [NUMERO, OTHER]) await gateway.state(numero, STATES.connected);
      assert.equal((await gateway.delete(NUMERO)).status, 204);
      assert.deepEqual(filesWith(folder, NUMERO), []);
      assert.equal(whatsapp.registrations, 2);
    });
  }
});
