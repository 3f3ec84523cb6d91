import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

describe('a session of a real phone', () => {
  test('goes through code, scan and ready, and ends when unlinked on the phone', async (t) => {
    const lab = await startLab(t);
    assert.deepEqual((await lab.levanta()).body, { numero: NUMERO });
    const phone = lab.whatsapp.phone(NUMERO);
    await phone.scan(await lab.code());
    await lab.state(STATES.connected);
    phone.unlink();
    assert.deepEqual(await lab.state(STATES.disconnected), {
      numero: NUMERO,
      state: STATES.disconnected,
      waiting: false,
    });
    await until(() => lab.heard().at(-1) === 'disconnected', 'the last push');
    // The restart after the scan is not visible.
    assert.deepEqual(lab.heard(), [STATES.authenticating, 'qr', 'authenticated', 'ready', 'disconnected']);
    assert.deepEqual(lab.whatsapp.errors, []);
  });

  test('scanned by another number, with WhatsApp down, logs what is left to do on the phone', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    const stranger = lab.whatsapp.phone(OTHER);
    lab.whatsapp.refuseLogin(OTHER, 503);
    await stranger.scan(await lab.code());
    await lab.state(/^NÚMERO DISTINTO/);
    await until(() => lab.printed.length > 0, 'a sentence');
    assert.deepEqual(lab.printed, [
      `WhatsApp could not be told to unlink ${OTHER}, which was scanned for ${NUMERO}: remove the device on the phone.`,
    ]);
    assert.equal(stranger.devices.length, 1);
    await lab.link();
  });

  for (const [typed, scanned] of [
    ['525550001111', '5215550001111'],
    ['5215550001111', '525550001111'],
    ['541150000001', '5491150000001'],
    ['5511987654321', '551187654321'],
  ] as const) {
    test(`of ${typed} is linked by the phone ${scanned}`, async (t) => {
      const lab = await startLab(t);
      const { body } = await lab.levanta(typed);
      const { numero } = body as { numero: string };
      await lab.whatsapp.phone(scanned).scan(await lab.code(numero));
      await lab.state(STATES.connected, numero);
      assert.equal((await lab.list()).length, 1);
    });
  }

  test('says so if the account is restricted, and its credentials are void', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    lab.whatsapp.refuseLogin(NUMERO, 403);
    lab.whatsapp.phone(NUMERO).cutLine();
    await lab.state(/^CUENTA RESTRINGIDA/);
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await lab.link();
    assert.equal(lab.whatsapp.registrations, 2);
  });

  test('says so if the client is outdated, keeps its credentials, and retries later', async (t) => {
    const lab = await startLab(t, { timings: { patientFirst: 500, patientMost: 500 } });
    await lab.link();
    lab.whatsapp.refuseEverybody(405);
    lab.whatsapp.phone(NUMERO).cutLine();
    await lab.state(/^CLIENTE DESACTUALIZADO/);
    lab.whatsapp.refuseEverybody(undefined);
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 1);
  });

  test('that is outdated before its first code waits, and shows one once it can', async (t) => {
    const lab = await startLab(t, { timings: { patientFirst: 200, patientMost: 200 } });
    lab.whatsapp.refuseEverybody(405);
    await lab.levanta();
    assert.equal((await lab.state(/^CLIENTE DESACTUALIZADO/)).waiting, true);
    lab.whatsapp.refuseEverybody(undefined);
    await lab.code();
  });

  test('is the first to log in after a restart if it was the last to send', async (t) => {
    // Nobody waits for the second one.
    const lab = await startLab(t, { timings: { stagger: 1e9 } });
    for (const numero of [NUMERO, OTHER]) await lab.link(numero);
    for (const numero of [NUMERO, OTHER]) {
      assert.equal((await lab.send(['34600000002'], 'Hola', numero)).status, 200);
    }
    await lab.restart();
    await lab.state(STATES.connected, OTHER);
    assert.equal((await lab.list()).map(({ numero }) => numero).join(), `${NUMERO},${OTHER}`);
    assert.notEqual((await lab.session())?.state, STATES.connected);
    // A request comes before its turn.
    await lab.levanta();
    await lab.state(STATES.connected);
  });
});
