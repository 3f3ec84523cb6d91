import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { until } from '../support/until.ts';
import { releaseTimers } from './fake/leftover-timers.ts';
import { refuseWrites, takeWrites } from './support/broken-store.ts';
import { type Lab, NUMERO, OTHER, startLab } from './support/lab.ts';

after(releaseTimers);

const RECIPIENT = '34600000002';

/** The gateway starts again on a disk that has no room for these writes. */
async function restartWithout(lab: Lab, what: string): Promise<void> {
  await lab.gateway.close();
  refuseWrites(lab.folder, what);
  await lab.start();
}

async function restartWithRoom(lab: Lab): Promise<void> {
  await lab.gateway.close();
  takeWrites(lab.folder);
  await lab.start();
}

async function assertLives(lab: Lab, numero: string): Promise<void> {
  await lab.state(STATES.connected, numero);
  assert.equal((await lab.send([RECIPIENT], 'Hola', numero)).status, 204);
}

describe('a full disk', () => {
  test('keeps a phone from being linked, says so, and the other sessions live on', async (t) => {
    const lab = await startLab(t);
    await lab.link(OTHER);
    await restartWithout(lab, `UPDATE OF creds ON session WHEN NEW.numero = '${NUMERO}'`);
    await lab.levanta();
    const phone = lab.whatsapp.phone(NUMERO);
    const scanned = phone.scan(await lab.code());
    scanned.catch(() => {});
    await lab.state(STATES.disconnected);
    await assert.rejects(scanned);
    assert.deepEqual(phone.devices, []);
    assert.deepEqual(lab.printed, [
      `The keys of ${NUMERO} could not be written to the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    ]);
    await assertLives(lab, OTHER);

    await restartWithRoom(lab);
    await lab.link();
  });

  test('does not end a linked session, whose keys are written when there is room', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await restartWithout(lab, `UPDATE OF creds ON session WHEN NEW.numero = '${NUMERO}'`);
    await lab.state(STATES.connected);
    await restartWithRoom(lab);
    await assertLives(lab, NUMERO);
    assert.equal(lab.whatsapp.registrations, 1);
  });

  test('refuses messages before they leave, says so once, and the other sessions live on', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.link(OTHER);
    await restartWithout(lab, `UPDATE OF creds ON session WHEN NEW.numero = '${NUMERO}'`);
    await lab.state(STATES.connected);
    for (const text of ['uno', 'dos']) assert.equal((await lab.send([RECIPIENT], text)).status, 507);
    assert.deepEqual(lab.printed, [
      `The keys of ${NUMERO} could not be written to the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    ]);
    assert.equal((await lab.session())?.state, STATES.connected);
    await assertLives(lab, OTHER);
    assert.equal(lab.whatsapp.phone(RECIPIENT).messages.length, 1);

    await restartWithRoom(lab);
    await assertLives(lab, NUMERO);
    assert.deepEqual(lab.whatsapp.phone(RECIPIENT).failures, []);
  });

  test('that shows when a message has left does not hide that it arrived', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await restartWithout(lab, 'INSERT ON key');
    await assertLives(lab, NUMERO);
    assert.equal(lab.whatsapp.phone(RECIPIENT).messages.length, 1);
    await until(() => lab.printed.length > 0, 'a sentence');
    assert.equal(
      lab.printed[0],
      `The keys of ${NUMERO} could not be written to the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    );
  });

  test('does not hide that a session was unlinked, and its keys are erased when there is room', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.link(OTHER);
    await restartWithout(lab, `DELETE ON key WHEN OLD.numero = '${NUMERO}'`);
    await lab.state(STATES.connected);
    lab.whatsapp.phone(NUMERO).unlink();
    await lab.state(STATES.disconnected);
    assert.deepEqual(lab.printed, [
      `The keys of ${NUMERO} could not be erased from the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    ]);
    await assertLives(lab, OTHER);
    // With void keys WhatsApp would only turn it away.
    assert.equal((await lab.levanta()).status, 500);
    assert.equal((await lab.session())?.state, STATES.disconnected);

    await restartWithRoom(lab);
    await lab.state(STATES.disconnected);
    await lab.link();
  });

  test('refuses to start a session that could not be kept, and says so', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await restartWithout(lab, 'INSERT ON session');
    await lab.state(STATES.connected);
    assert.equal((await lab.levanta(OTHER)).status, 500);
    assert.equal((await lab.session(OTHER))?.state, STATES.disconnected);
    assert.deepEqual(lab.printed, [
      `The start of ${OTHER} could not be written to the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    ]);
    await assertLives(lab, NUMERO);
  });
});

describe('a delete on a full disk', () => {
  test('that could not begin leaves the session as it is', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await restartWithout(lab, 'UPDATE OF leaving ON session');
    await lab.state(STATES.connected);
    assert.equal((await lab.delete()).status, 500);
    assert.deepEqual(await lab.list(), [{ numero: NUMERO, state: STATES.connected, waiting: false }]);
    await until(() => lab.heard().slice(-2).join() === `${STATES.closing},ready`, 'the panel to be told');
    assert.deepEqual(lab.printed, [
      `The deletion of ${NUMERO} could not be written to the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    ]);
    await assertLives(lab, NUMERO);
    lab.whatsapp.phone(NUMERO).unlink();
    await lab.state(STATES.disconnected);
  });

  test('that could not begin shows the code again', async (t) => {
    const lab = await startLab(t);
    await restartWithout(lab, 'UPDATE OF leaving ON session');
    await lab.levanta();
    const code = await lab.code();
    assert.equal((await lab.delete()).status, 500);
    assert.equal(await lab.code(), code);
    await until(() => lab.heard().at(-1) === 'qr', 'the panel to be told');
    await lab.whatsapp.phone(NUMERO).scan(code);
    await lab.state(STATES.connected);
  });

  test('that could not erase the keys says so, and a restart goes on with it', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await restartWithout(lab, 'DELETE ON session');
    await lab.state(STATES.connected);
    assert.equal((await lab.delete()).status, 500);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    assert.deepEqual(await lab.list(), [{ numero: NUMERO, state: STATES.disconnected, waiting: false }]);
    assert.deepEqual(lab.printed, [
      `The keys of ${NUMERO} could not be erased from the disk (SQLITE_CONSTRAINT_TRIGGER).`,
    ]);

    await lab.restart();
    assert.deepEqual(await lab.list(), []);
    await restartWithRoom(lab);
    assert.deepEqual(await lab.list(), []);
    await lab.link();
  });
});
