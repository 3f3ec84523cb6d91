import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';
import { layOut, onFolder } from './support/layout.ts';

describe('a message under way', () => {
  test('gets its answer after SIGTERM, and no session is lost', async (t) => {
    const { folder, whatsapp } = await layOut(t, { preKeys: 100 });
    const start = () => new GatewayProcess(t, onFolder(folder, whatsapp)).listens();
    const gateway = await start();
    await gateway.link(NUMERO, whatsapp);
    let accept = () => {};
    whatsapp.setMessageFate(
      OTHER,
      new Promise((resolve) => {
        accept = resolve;
      }),
    );
    const answer = gateway.send(NUMERO, OTHER);
    await until(() => whatsapp.phone(OTHER).undelivered === 1, 'the message');

    gateway.run.child.kill('SIGTERM');
    await until(() => gateway.run.output.stderr.includes('Ending:'), 'the drain');
    assert.equal((await gateway.levanta(OTHER)).status, 503);
    assert.equal((await gateway.send(NUMERO, '34600000003')).status, 503);
    assert.ok(gateway.isAlive);
    accept();
    assert.equal((await answer).status, 200);
    assert.equal(await gateway.run.ended, 0);
    await until(() => whatsapp.phone(OTHER).messages.length === 1, 'its arrival');

    const next = await start();
    await next.state(NUMERO, STATES.connected);
    assert.equal(whatsapp.registrations, 1);
    assert.equal((await next.list()).length, 1);
  });

  test('that WhatsApp never answers is answered at the limit of the drain', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    lab.whatsapp.setMessageFate(OTHER, 'lost');
    const answer = lab.send([OTHER, '34600000003']);
    await until(() => lab.whatsapp.phone(OTHER).undelivered === 1, 'the message');
    // Half a second is left for the messages, and then all the time for their answers.
    const now = performance.now();
    t.mock.method(performance, 'now', () => now).mock.mockImplementationOnce(() => now + 57_500, 1);
    await lab.gateway.drain(60_000);
    const { status, body } = await answer;
    assert.equal(status, 502);
    assert.match(JSON.stringify(body), /puede que no llegue a 34600000001.*no se envió a 34600000003/);
  });
});
