import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { type Lab, NUMERO, OTHER, startLab } from './support/lab.ts';
import { filesWith } from './support/raw-files.ts';

async function assertGone(lab: Lab): Promise<void> {
  assert.deepEqual(await lab.list(), []);
  // Keys of every kind have this in their JSON; a session without credentials has none.
  assert.deepEqual(filesWith(lab.folder, '"Buffer"'), [], 'credentials are left');
  assert.deepEqual(filesWith(lab.folder, NUMERO), [], 'its numero is left');
}

describe('deleting a session', () => {
  test('unlinks the device and erases its credentials', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    assert.notDeepEqual(filesWith(lab.folder, NUMERO), []);
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    await assertGone(lab);
    assert.deepEqual(lab.printed, []);
  });

  test('right after it was started, or while it shows a code, leaves not even a connection', async (t) => {
    const lab = await startLab(t);
    for (const isShown of [() => {}, () => lab.code()]) {
      await lab.levanta();
      await isShown();
      assert.equal((await lab.delete()).status, 204);
      await assertGone(lab);
      await until(() => lab.whatsapp.connections === 0, 'no connection');
    }
  });

  test('between the scan and ready unlinks the device', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    const phone = lab.whatsapp.phone(NUMERO);
    const scanned = phone.scan(await lab.code());
    await lab.listener.heard(`session:authenticated:${NUMERO}`);
    assert.equal((await lab.delete()).status, 204);
    await scanned;
    assert.deepEqual(phone.devices, []);
    await assertGone(lab);
  });

  test('while it is reconnecting unlinks the device on a new connection', async (t) => {
    const lab = await startLab(t, { timings: { retryFirst: 3_600_000, retryMost: 3_600_000 } });
    await lab.link();
    const phone = lab.whatsapp.phone(NUMERO);
    phone.cutLine();
    await lab.state('OPENING');
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(phone.devices, []);
    await assertGone(lab);
    assert.deepEqual(lab.printed, []);
  });

  test('retries on a new connection if the first one breaks', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const phone = lab.whatsapp.phone(NUMERO);
    phone.losesRemoval = true;
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(phone.devices, []);
    await assertGone(lab);
    assert.deepEqual(lab.printed, []);
  });

  test('without a connection still erases the credentials, and logs what is left to do', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.whatsapp.goDown();
    assert.equal((await lab.delete()).status, 204);
    await assertGone(lab);
    assert.match(lab.printed.at(-1) ?? '', /could not be told that 5215550001111 was deleted/);
    await lab.whatsapp.comeBack();
    await lab.link();
  });

  test('does not wait for a WhatsApp that does not answer', async (t) => {
    const lab = await startLab(t, { timings: { unlink: 300 } });
    await lab.link();
    lab.whatsapp.phone(NUMERO).silenceLine();
    const before = performance.now();
    assert.equal((await lab.delete()).status, 204);
    assert.ok(performance.now() - before < 20_000);
    await assertGone(lab);
  });

  test('during a send ends both', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    lab.whatsapp.setNoAnswer(OTHER);
    const sent = lab.send([OTHER]);
    const deleted = lab.delete();
    assert.equal((await deleted).status, 204);
    assert.notEqual((await sent).status, 200);
    await assertGone(lab);
  });

  test('that was unlinked on the phone, or ran out of codes, only removes it from the list', async (t) => {
    const lab = await startLab(t, { refs: 1, timings: { code: 100 } });
    await lab.levanta(OTHER);
    await lab.listener.heard(`session:qr_timeout:${OTHER}`);
    assert.equal((await lab.delete(OTHER)).status, 204);
    await lab.levanta();
    await lab.listener.heard(`session:qr_timeout:${NUMERO}`);
    assert.equal((await lab.delete()).status, 204);
    await assertGone(lab);
  });

  test('that was interrupted by a shutdown resumes at the next start', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const phone = lab.whatsapp.phone(NUMERO);
    phone.silenceLine();
    const deleted = lab.delete().catch(() => undefined);
    await lab.state(STATES.closing);
    await lab.gateway.close();
    await deleted;
    assert.equal(phone.devices.length, 1);

    await lab.start();
    assert.deepEqual(await lab.list(), []);
    await until(() => phone.devices.length === 0, 'the device to be unlinked');
    await until(() => filesWith(lab.folder, NUMERO).length === 0, 'nothing to be left');
  });
});
