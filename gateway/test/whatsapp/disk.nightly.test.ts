import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import type { Answer } from '../support/gateway.ts';
import { refuseKeys } from './support/broken-store.ts';
import { failSql } from './support/failing-sql.ts';
import { type Lab, NUMERO, OTHER, startLab } from './support/lab.ts';
import { filesWith } from './support/raw-files.ts';

const RECIPIENT = '34600000002';

/** Of the keys of any session. */
const WRITES = /INTO key /;
const ERASURES = /DELETE FROM key WHERE session = \?$/;
const LIST = /(?:INSERT INTO|UPDATE) session/;
const CHECKPOINT = /wal_checkpoint/;

async function assertLives(lab: Lab, numero: string): Promise<void> {
  await lab.state(STATES.connected, numero);
  assert.equal((await lab.send([RECIPIENT], 'Hola', numero)).status, 200);
}

function assertSays({ status, body }: Answer, expected: number, sentence: string): void {
  const error = expected === 507 ? 'Insufficient Storage' : 'Service Unavailable';
  assert.deepEqual(body, { statusCode: expected, error, message: sentence });
  assert.equal(status, expected);
}

const IS_FULL =
  'El servidor no tiene espacio para guardar (SQLITE_FULL): libera espacio e inténtalo de nuevo.';
const IS_BROKEN =
  'El servidor no puede leer o guardar sus datos (SQLITE_IOERR): revisa el disco o la base de datos.';

describe('a full disk', () => {
  test('prevents linking a phone and says so; other sessions stay connected', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    await lab.link(OTHER);
    const heal = failSql(t, WRITES);
    const phone = lab.whatsapp.phone(NUMERO);
    const scanned = phone.scan(await lab.code());
    scanned.catch(() => {});
    await lab.state(STATES.disconnected);
    await assert.rejects(scanned);
    assert.deepEqual(phone.devices, []);
    assert.deepEqual(lab.printed, [`The store has no space left (SQLITE_FULL): write-keys of ${NUMERO}.`]);
    await lab.state(STATES.connected, OTHER);

    heal();
    await assertLives(lab, OTHER);
    await lab.link();
  });

  test('does not end a linked session, whose keys are written when there is space', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    const heal = failSql(t, WRITES);
    await lab.start();
    await lab.state(STATES.connected);
    heal();
    await lab.restart();
    await assertLives(lab, NUMERO);
    assert.equal(lab.whatsapp.registrations, 1);
  });

  for (const [code, status, says, logged] of [
    ['SQLITE_FULL', 507, 'El servidor no tiene espacio para guardar', 'has no space left'],
    ['SQLITE_IOERR', 503, 'El servidor no puede leer o guardar sus datos', 'fails'],
  ] as const) {
    test(`refuses messages before sending with ${status} (${code}); sessions stay connected`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      await lab.link(OTHER);
      const heal = failSql(t, WRITES, code);
      for (const text of ['uno', 'dos']) {
        assertSays(await lab.send([RECIPIENT], text), status, `${says}: no se envió a ${RECIPIENT}.`);
      }
      assert.deepEqual(lab.printed, [`The store ${logged} (${code}): write-keys of ${NUMERO}.`]);
      assert.equal((await lab.session())?.state, STATES.connected);
      await lab.state(STATES.connected, OTHER);
      assert.equal(lab.whatsapp.phone(RECIPIENT).messages.length, 0);

      heal();
      await assertLives(lab, OTHER);
      await assertLives(lab, NUMERO);
      assert.deepEqual(lab.whatsapp.phone(RECIPIENT).failures, []);
    });
  }

  test('right after sending does not hide that the message arrived', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    refuseKeys(lab.folder, NUMERO, 'session');
    await lab.start();
    await assertLives(lab, NUMERO);
    assert.equal(lab.whatsapp.phone(RECIPIENT).messages.length, 1);
    await until(() => lab.printed.length > 0, 'a sentence');
    assert.equal(lab.printed[0], `The store fails (SQLITE_CONSTRAINT_TRIGGER): write-keys of ${NUMERO}.`);
    // After a crash nobody could read the next one.
    assert.equal((await lab.send([RECIPIENT])).status, 503);
  });

  test('does not hide that a session was unlinked, and its keys are erased when there is space', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.link(OTHER);
    const heal = failSql(t, ERASURES);
    lab.whatsapp.phone(NUMERO).unlink();
    await lab.state(STATES.disconnected);
    assert.deepEqual(lab.printed, [`The store has no space left (SQLITE_FULL): erase of ${NUMERO}.`]);
    await assertLives(lab, OTHER);
    // WhatsApp would reject void keys.
    assertSays(await lab.levanta(), 507, IS_FULL);
    assert.equal((await lab.session())?.state, STATES.disconnected);

    heal();
    await lab.link();
  });

  test('refuses to start a session that cannot be saved, and does not list it', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    failSql(t, LIST);
    assertSays(await lab.levanta(OTHER), 507, IS_FULL);
    assert.deepEqual(lab.printed, [`The store has no space left (SQLITE_FULL): start of ${OTHER}.`]);
    await assertLives(lab, NUMERO);
    assert.deepEqual(
      (await lab.list()).map(({ numero }) => numero),
      [NUMERO],
    );
  });
});

describe('deleting on a failing disk', () => {
  test('leaves the session as it is if the deletion cannot be saved', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const heal = failSql(t, LIST, 'SQLITE_IOERR');
    assertSays(await lab.delete(), 503, IS_BROKEN);
    assert.deepEqual(await lab.list(), [{ numero: NUMERO, state: STATES.connected, waiting: false }]);
    await until(() => lab.heard().slice(-2).join() === `${STATES.closing},ready`, 'the panel to be told');
    assert.deepEqual(lab.printed, [`The store fails (SQLITE_IOERR): delete of ${NUMERO}.`]);
    await assertLives(lab, NUMERO);
    heal();
    lab.whatsapp.phone(NUMERO).unlink();
    await lab.state(STATES.disconnected);
  });

  test('shows the code again if the deletion cannot be saved', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    const code = await lab.code();
    const heal = failSql(t, LIST);
    assertSays(await lab.delete(), 507, IS_FULL);
    assert.equal(await lab.code(), code);
    await until(() => lab.heard().at(-1) === 'qr', 'the panel to be told');
    heal();
    await lab.whatsapp.phone(NUMERO).scan(code);
    await lab.state(STATES.connected);
  });

  test('reports that keys could not be erased, and a restart completes it', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const heal = failSql(t, ERASURES);
    assertSays(await lab.delete(), 507, IS_FULL);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    assert.deepEqual(await lab.list(), [{ numero: NUMERO, state: STATES.disconnected, waiting: false }]);
    assert.deepEqual(lab.printed, [`The store has no space left (SQLITE_FULL): erase of ${NUMERO}.`]);

    await lab.restart();
    assert.deepEqual(await lab.list(), []);
    heal();
    await lab.restart();
    assert.deepEqual(await lab.list(), []);
    await until(() => filesWith(lab.folder, NUMERO).length === 0, 'nothing to be left');
    await lab.link();
  });

  test('does not erase keys that it cannot read, and can be retried', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    const heal = failSql(t, /FROM key /, 'SQLITE_IOERR');
    await lab.start();
    await lab.state(STATES.disconnected);
    const sentence = IS_BROKEN;
    assertSays(await lab.levanta(), 503, sentence);
    assertSays(await lab.delete(), 503, sentence);
    assert.deepEqual(lab.printed, [`The store fails (SQLITE_IOERR): read-credentials of ${NUMERO}.`]);
    heal();
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(lab.whatsapp.phone(NUMERO).devices, []);
    assert.deepEqual(filesWith(lab.folder, NUMERO), []);
  });

  test('reports what stays in the journal, and can be retried', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const heal = failSql(t, CHECKPOINT);
    for (const _ of [1, 2]) assertSays(await lab.delete(), 507, IS_FULL);
    assert.deepEqual(lab.printed, [`The store has no space left (SQLITE_FULL): erase of ${NUMERO}.`]);
    heal();
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(await lab.list(), []);
    assert.deepEqual(filesWith(lab.folder, NUMERO), []);
  });
});
