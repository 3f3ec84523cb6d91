import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WirePairing } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { itemOf } from '../support/gateway.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

describe('a real session, through the gateway', () => {
  test('is linked by a code, tells its name, hears that its message was read, and is unlinked', async (t) => {
    const lab = await startLab(t);
    const phone = lab.whatsapp.phone(NUMERO);
    phone.businessName = 'Taller Pérez';
    await lab.levanta();
    await lab.code();
    const { status, body } = await lab.pair();
    assert.equal(status, 200);
    const { code } = body as WirePairing;
    assert.deepEqual(await lab.listener.heard(`session:code:${NUMERO}`), [body]);
    await phone.type(code);
    await lab.state(STATES.connected);
    assert.deepEqual(await lab.listener.heard(`session:code:${NUMERO}`, 1), [null]);
    await until(async () => (await itemOf(lab.gateway, NUMERO))?.name === 'Taller Pérez', 'the name');

    await lab.send([OTHER]);
    await lab.listener.heard('message:ack', 1);
    lab.whatsapp.phone(OTHER).acknowledge('read');
    await lab.listener.heard('message:ack', 2);
    const acks = lab.listener.all.flatMap(([name, ack]) =>
      name === 'message:ack' ? [Object(ack).status] : [],
    );
    assert.deepEqual(acks, ['server', 'device', 'read']);

    assert.equal((await lab.unlink()).status, 202);
    assert.equal((await lab.state(STATES.disconnected)).numero, NUMERO);
    assert.equal((await itemOf(lab.gateway, NUMERO))?.reason?.code, 'unlinked');
    assert.deepEqual(phone.devices, []);
    assert.equal((await lab.unlink()).status, 409);
    assert.equal((await lab.pair()).status, 409);
    await lab.link();
  });

  test('that starts, is unlinked and deleted at once ends in a whole state', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const phone = lab.whatsapp.phone(NUMERO);
    const now = performance.now();
    // A start that has reported nothing for two seconds is not joined.
    const { mock } = t.mock.method(performance, 'now', () => now);
    await Promise.all([lab.levanta(), lab.unlink(), lab.levanta(), lab.pair()]);
    mock.restore();
    // The second start joins the first one, which is over.
    assert.deepEqual(phone.devices, []);
    await lab.state(STATES.disconnected);
    await lab.link();

    await Promise.all([lab.unlink(), lab.levanta(), lab.delete()]);
    assert.deepEqual(await lab.list(), []);
    assert.deepEqual(phone.devices, []);
    await until(() => lab.whatsapp.connections === 0, 'no connection');
  });
});
