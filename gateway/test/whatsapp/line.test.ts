import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

describe('the connection to WhatsApp', () => {
  for (const code of [428, 500, 503, 515]) {
    test(`reconnects after WhatsApp has ended the stream with ${code}`, async (t) => {
      const lab = await startLab(t);
      await lab.link();
      lab.whatsapp.phone(NUMERO).endStream(code);
      await until(() => lab.heard().at(-1) === 'CONNECTED', 'the reconnection');
      assert.equal(lab.whatsapp.phone(NUMERO).logins, 2);
    });
  }

  test('is lost too when it falls silent', async (t) => {
    // The library gives up 5 s after a missing keep-alive answer.
    const lab = await startLab(t, { timings: { keepAlive: 300 } });
    await lab.link();
    lab.whatsapp.phone(NUMERO).silenceLine();
    await until(() => lab.heard().includes('OPENING'), 'the loss');
    await until(() => lab.heard().at(-1) === 'CONNECTED', 'the reconnection');
  });

  test('that cannot be established is logged once, shown in the state, and retried', async (t) => {
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

  test('that cannot be established keeps a new session waiting until its code', async (t) => {
    const lab = await startLab(t);
    await lab.whatsapp.goDown();
    assert.equal((await lab.levanta()).status, 200);
    assert.equal((await lab.state(/^SIN CONEXIÓN CON WHATSAPP/)).waiting, true);
    await lab.whatsapp.comeBack();
    await lab.code();
  });

  test('that breaks while a code is shown removes the void code, and brings another', async (t) => {
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

  test('that breaks between the scan and the restart still links the session', async (t) => {
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

describe('a restarted gateway', () => {
  test('can still send to previous recipients', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    assert.equal((await lab.send([OTHER], 'uno')).status, 200);
    await lab.restart();
    await lab.state(STATES.connected);
    assert.equal((await lab.send([OTHER], 'dos')).status, 200);
    const recipient = lab.whatsapp.phone(OTHER);
    assert.deepEqual(
      recipient.messages.map(({ text }) => text),
      ['uno', 'dos'],
    );
    assert.deepEqual(recipient.failures, []);
  });

  test('does not restore what was deleted, or meanwhile unlinked on the phone', async (t) => {
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
});
