import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { NUMERO, OTHER } from './support/lab.ts';
import { killedAt, layOut, onFolder, type Place } from './support/layout.ts';
import { filesWith } from './support/raw-files.ts';

/** The first checkpoint is that of the start. */
const CHECKPOINT = { at: 'wal_checkpoint', skip: 1 };

/** A folder with two linked sessions, and a gateway that is killed at the given statement. */
async function startDoomed(t: TestContext, place: Place) {
  const { folder, whatsapp } = await layOut(t);
  const args = onFolder(folder, whatsapp);
  const doomed = await new GatewayProcess(t, args, killedAt(place)).listens();
  await doomed.link(NUMERO, whatsapp);
  await doomed.link(OTHER, whatsapp);
  return { folder, args, whatsapp, doomed, restart: () => new GatewayProcess(t, args).listens() };
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
    const { folder, doomed, restart } = await startDoomed(t, { at: 'DELETE FROM key WHERE session = \\?$' });
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

  test('while it shows a code to type has linked nothing, and does not log in', async (t) => {
    const { folder, whatsapp } = await layOut(t);
    const start = () => new GatewayProcess(t, onFolder(folder, whatsapp)).listens();
    const doomed = await start();
    const code = await doomed.pair(NUMERO);
    await doomed.kill();
    await assert.rejects(whatsapp.phone(NUMERO).type(code));

    const gateway = await start();
    await gateway.state(NUMERO, STATES.disconnected);
    await whatsapp.phone(NUMERO).type(await gateway.pair(NUMERO));
    await gateway.state(NUMERO, STATES.connected);
    // Each for the code to scan: no login with what the request had noted.
    assert.equal(whatsapp.registrations, 2);
    assert.equal(whatsapp.phone(NUMERO).logins, 1);
  });

  // A typed code links in two writes of the credentials: when the phone accepts it, and when WhatsApp gives the account.
  for (const skip of [0, 1, 2, 3]) {
    test(`while a phone is linked by a code (before write ${skip}) has linked it, or not at all`, async (t) => {
      const { folder, whatsapp } = await layOut(t, { preKeys: 100 });
      const args = onFolder(folder, whatsapp);
      const doomed = await new GatewayProcess(t, args, killedAt({ at: 'INTO key ', skip })).listens();
      const phone = whatsapp.phone(NUMERO);
      await phone.type(await doomed.pair(NUMERO)).catch(() => {});
      await doomed.run.ended;
      assert.equal(doomed.run.child.signalCode, 'SIGKILL');

      const gateway = await new GatewayProcess(t, args).listens();
      if (phone.devices.length > 0) await gateway.state(NUMERO, STATES.connected);
      else await gateway.state(NUMERO, STATES.disconnected);
      assert.ok(phone.devices.length === 1 || phone.logins === 0);
    });
  }

  test('between unlinking and erasing the keys finds itself logged out after a restart', async (t) => {
    const { folder, whatsapp, doomed, restart } = await startDoomed(t, {
      at: 'DELETE FROM key WHERE session = \\?$',
    });
    await assert.rejects(doomed.unlink(NUMERO));
    assert.deepEqual(whatsapp.phone(NUMERO).devices, []);
    const gateway = await restart();
    await gateway.state(NUMERO, STATES.disconnected);
    await gateway.state(OTHER, STATES.connected);
    await gateway.link(NUMERO, whatsapp);
    assert.equal(whatsapp.registrations, 3);
    assert.equal(whatsapp.phone(NUMERO).conflicts, 0);
    assert.notDeepEqual(filesWith(folder, NUMERO), []);
  });
});
