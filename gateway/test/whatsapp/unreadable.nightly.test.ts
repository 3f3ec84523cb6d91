import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { breakCreds, breakPage, storeCreds, storedCreds } from './support/broken-store.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

const unreadable = (numero: string, reason: string) =>
  `The keys of ${numero} cannot be read (${reason}): delete the session and link it again.`;

describe('a gateway with unreadable data on its disk', () => {
  for (const [creds, reason] of [
    ['{"noiseKey":{"private', 'SyntaxError'],
    ['null', 'TypeError'],
    ['{}', 'TypeError'],
  ] as const) {
    test(`lists the session of ${creds} as disconnected and keeps it; the others start`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      await lab.link(OTHER);
      await lab.gateway.close();
      storeCreds(lab.folder, NUMERO, creds);
      await lab.start();
      await lab.state(STATES.connected, OTHER);
      await lab.state(STATES.disconnected);
      assert.deepEqual(lab.printed, [unreadable(NUMERO, reason)]);

      const { status, body } = await lab.levanta();
      assert.deepEqual(body, {
        statusCode: 503,
        error: 'Service Unavailable',
        message: `No se pueden leer las claves de ${NUMERO} (${reason}): elimina la sesión y agrégala de nuevo.`,
      });
      assert.equal(status, 503);
      assert.equal((await lab.session())?.state, STATES.disconnected);
      await lab.gateway.close();
      assert.equal(storedCreds(lab.folder, NUMERO), creds);
    });
  }

  test('deletes such a session, logs what is left to do, and it can be linked again', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    storeCreds(lab.folder, NUMERO, '{');
    await lab.start();
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(lab.printed, [
      unreadable(NUMERO, 'SyntaxError'),
      `WhatsApp could not be told that ${NUMERO} was deleted: remove the device on the phone.`,
    ]);
    await lab.link();
  });

  test('prints one sentence if the folder cannot be used', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    breakPage(lab.folder, 'session');
    await assert.rejects(lab.start(), {
      name: 'FolderError',
      message: `The store in '${lab.folder}' is damaged: stop the gateway and bring a backup back with restore.`,
    });
  });

  test('lists a session whose keys are on a broken page; the others start', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.link(OTHER);
    await lab.gateway.close();
    breakCreds(lab.folder, NUMERO);
    await lab.start();
    await lab.state(STATES.connected, OTHER);
    await lab.state(STATES.disconnected);
    assert.deepEqual(lab.printed, [unreadable(NUMERO, 'SyntaxError')]);
  });
});
