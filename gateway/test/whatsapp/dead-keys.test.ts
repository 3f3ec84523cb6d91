import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

const PATIENCE = { patientFirst: 500, patientMost: 500 };

describe('a session whose logins WhatsApp closes again and again', () => {
  test('says that it needs a new link, and connects if WhatsApp takes the keys after all', async (t) => {
    const lab = await startLab(t, { timings: PATIENCE });
    await lab.link();
    lab.whatsapp.refuseLogin(NUMERO, 503);
    lab.whatsapp.phone(NUMERO).cutLine();
    await lab.state('OPENING');
    await lab.link(OTHER);
    const dead = await lab.state('CLAVES RECHAZADAS: hay que vincular el teléfono de nuevo');
    assert.equal(dead.waiting, false);
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 2);
    // The keys were good: the next start needs no code.
    await lab.levanta();
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 2);
  });

  test('keeps its keys over a restart of the gateway, and erases them when an operator starts it', async (t) => {
    const lab = await startLab(t, { timings: PATIENCE });
    await lab.link();
    lab.whatsapp.refuseLogin(NUMERO, 503);
    await lab.restart();
    await lab.state('OPENING');
    await lab.link(OTHER);
    await lab.state(/^CLAVES RECHAZADAS/);
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await lab.restart();
    await lab.state(STATES.connected);

    lab.whatsapp.refuseLogin(NUMERO, 503);
    lab.whatsapp.phone(NUMERO).cutLine();
    await lab.state('OPENING');
    await lab.link('34600000002');
    await lab.state(/^CLAVES RECHAZADAS/);
    await lab.levanta();
    const code = await lab.code();
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await lab.whatsapp.phone(NUMERO).scan(code);
    await lab.state(STATES.connected);
    assert.equal(lab.whatsapp.registrations, 4);
  });

  test('says so after an hour although another one failed that is no longer here', async (t) => {
    const lab = await startEngine(t, { timings: PATIENCE });
    await lab.link(NUMERO);
    await lab.link(OTHER);
    for (const numero of [OTHER, NUMERO]) {
      lab.whatsapp.refuseLogin(numero, 503);
      lab.whatsapp.phone(numero).cutLine();
      const before = lab.whatsapp.versions.length;
      await until(() => lab.whatsapp.versions.length > before + 1, `a failed login of ${numero}`);
      if (numero === OTHER) await lab.engine.release(OTHER);
    }
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + 60 * 60_000);
    await until(() => lab.heard(NUMERO).includes('delayed'), 'dead keys');
  });
});
