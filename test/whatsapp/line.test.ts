import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { until } from '../support/until.ts';
import { releaseTimers } from './fake/leftover-timers.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

after(releaseTimers);

describe('the line to WhatsApp', () => {
  test('that breaks is shown, and comes back by itself', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const before = lab.heard().length;
    lab.whatsapp.phone(NUMERO).cutLine();
    await until(() => lab.heard().at(-1) === 'CONNECTED', 'the line');
    assert.deepEqual(lab.heard().slice(before), ['OPENING', 'CONNECTED']);
    assert.equal(lab.whatsapp.registrations, 1);
  });

  for (const code of [428, 500, 503, 515]) {
    test(`comes back after WhatsApp has ended the stream with ${code}`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      lab.whatsapp.phone(NUMERO).endStream(code);
      await until(() => lab.heard().at(-1) === 'CONNECTED', 'the line');
      assert.equal(lab.whatsapp.phone(NUMERO).logins, 2);
    });
  }

  test('that falls silent is lost too', async (t) => {
    // The library takes it for lost 5 s after the sign of life that it misses.
    const lab = await startLab(t, { timings: { keepAlive: 300 } });
    await lab.link();
    lab.whatsapp.phone(NUMERO).silenceLine();
    await until(() => lab.heard().includes('OPENING'), 'the loss');
    await until(() => lab.heard().at(-1) === 'CONNECTED', 'the line');
  });

  test('that cannot be had is said once to whoever runs the gateway, and in the state; it is tried on', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.link(OTHER);
    await lab.whatsapp.goDown();
    for (const numero of [NUMERO, OTHER]) await lab.state(/^SIN CONEXIÓN CON WHATSAPP/, numero);
    assert.deepEqual(lab.printed, ['WhatsApp cannot be reached; the gateway keeps trying.']);

    await lab.whatsapp.comeBack();
    for (const numero of [NUMERO, OTHER]) await lab.state(STATES.connected, numero);
    assert.deepEqual(lab.printed.slice(1), ['WhatsApp can be reached again.']);
    assert.equal(lab.whatsapp.registrations, 2);
  });

  test('that cannot be had for a new session keeps it waiting, and a code comes in the end', async (t) => {
    const lab = await startLab(t);
    await lab.whatsapp.goDown();
    assert.equal((await lab.levanta()).status, 200);
    assert.equal((await lab.state(/^SIN CONEXIÓN CON WHATSAPP/)).waiting, true);
    await lab.whatsapp.comeBack();
    await lab.code();
  });

  test('that breaks while a code is up takes it off, since it is void, and brings another', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    const first = await lab.code();
    await lab.whatsapp.goDown();
    await until(async () => (await lab.session())?.qrCode === undefined, 'no code');
    await until(() => lab.heard().includes('disconnected'), 'the panel to be told');
    await lab.whatsapp.comeBack();
    await lab.whatsapp.phone(NUMERO).scan(await lab.code(NUMERO, first));
    await lab.state(STATES.connected);
  });

  test('that breaks between the scan and the new connection brings the session all the same', async (t) => {
    const lab = await startLab(t);
    await lab.levanta();
    lab.whatsapp.refuseLogin(NUMERO, 503);
    await lab.whatsapp.phone(NUMERO).scan(await lab.code());
    await lab.state('OPENING');
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 1);
  });
});

describe('a gateway that starts again', () => {
  test('brings every linked session back without a code, and lists the others', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.levanta('34600000002');
    await lab.code('34600000002');
    await lab.link(OTHER);
    await lab.restart();
    assert.deepEqual(
      (await lab.list()).map(({ numero }) => numero),
      [NUMERO, '34600000002', OTHER],
    );
    for (const numero of [NUMERO, OTHER]) await lab.state(STATES.connected, numero);
    await lab.state(STATES.disconnected, '34600000002');
    assert.equal(lab.whatsapp.registrations, 3);
    assert.equal((await lab.send([OTHER])).status, 204);
    await lab.link('34600000002');
  });

  test('can still write to whom it wrote before', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    assert.equal((await lab.send([OTHER], 'uno')).status, 204);
    await lab.restart();
    await lab.state(STATES.connected);
    assert.equal((await lab.send([OTHER], 'dos')).status, 204);
    const recipient = lab.whatsapp.phone(OTHER);
    assert.deepEqual(
      recipient.messages.map(({ text }) => text),
      ['uno', 'dos'],
    );
    assert.deepEqual(recipient.failures, []);
  });

  test('does not bring back what was deleted, or unlinked on the phone meanwhile', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.link(OTHER);
    await lab.delete(OTHER);
    await lab.gateway.close();
    lab.whatsapp.phone(NUMERO).unlink();
    await lab.start();
    await lab.state(STATES.disconnected);
    assert.equal((await lab.list()).length, 1);
    await lab.link();
  });

  test('without a line shows so, and brings its sessions back when there is one', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    await lab.gateway.close();
    await lab.whatsapp.goDown();
    await lab.start();
    await lab.state(/^SIN CONEXIÓN CON WHATSAPP/);
    await lab.whatsapp.comeBack();
    await lab.state(STATES.connected);
  });
});
