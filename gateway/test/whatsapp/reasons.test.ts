import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Boom } from '@hapi/boom';
import { until } from '../../../test/support/until.ts';
import { closeOf } from '../../src/engines/whatsapp/close.ts';
import { startEngine } from './support/engine-lab.ts';
import { NUMERO } from './support/lab.ts';

describe('the reason of an end', () => {
  test('is device-removed when the phone removes the device', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    const { length } = lab.events(NUMERO);
    lab.whatsapp.phone(NUMERO).unlink();
    await lab.last(NUMERO, 'disconnected');
    assert.deepEqual(lab.events(NUMERO).slice(length), [{ type: 'disconnected', reason: 'device-removed' }]);
  });

  test('is logged-out when WhatsApp rejects the credentials twice', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    const { length } = lab.events(NUMERO);
    lab.whatsapp.refuseLogin(NUMERO, 401);
    lab.whatsapp.phone(NUMERO).cutLine();
    await lab.last(NUMERO, 'disconnected');
    assert.deepEqual(lab.events(NUMERO).slice(length), [
      { type: 'state', state: 'OPENING' },
      { type: 'disconnected', reason: 'logged-out' },
    ]);
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await lab.link(NUMERO);
    assert.equal(lab.whatsapp.registrations, 2);
  });

  test('is none when WhatsApp rejects the credentials once, at a login or right after it', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    for (const reject of [
      () => lab.whatsapp.phone(NUMERO).endStream(401),
      () => {
        lab.whatsapp.refuseLogin(NUMERO, 401, { isOnce: true });
        lab.whatsapp.phone(NUMERO).cutLine();
      },
    ]) {
      const before = lab.events(NUMERO).at(-1);
      await lab.reopen();
      await lab.last(NUMERO, 'ready', before);
      const { length } = lab.events(NUMERO);
      reject();
      await until(() => lab.events(NUMERO).length >= length + 2, 'the reconnection');
      assert.deepEqual(lab.events(NUMERO).slice(length), [
        { type: 'state', state: 'OPENING' },
        { type: 'state', state: 'CONNECTED' },
      ]);
    }
    assert.equal(lab.whatsapp.registrations, 1);
  });
});

describe('a ban for a time', () => {
  test('is waited for, and the session connects again', async (t) => {
    const lab = await startEngine(t);
    await lab.link(NUMERO);
    const before = Date.now();
    lab.whatsapp.refuseLogin(NUMERO, 402, { expire: 2 });
    lab.whatsapp.phone(NUMERO).cutLine();
    const delayed = await lab.last(NUMERO, 'delayed');
    assert.ok(delayed.reason === 'banned' && delayed.until >= before + 2_000);
    assert.ok(delayed.until <= Date.now() + 2_000);
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await until(() => lab.events(NUMERO).at(-1)?.type === 'state', 'the connection');
    assert.ok(Date.now() >= delayed.until);
    assert.equal(lab.whatsapp.registrations, 1);
  });

  test('of unknown length is retried with patience', async (t) => {
    const lab = await startEngine(t, { timings: { patientFirst: 300, patientMost: 300 } });
    await lab.link(NUMERO);
    lab.whatsapp.refuseLogin(NUMERO, 402);
    lab.whatsapp.phone(NUMERO).cutLine();
    const delayed = await lab.last(NUMERO, 'delayed');
    assert.ok(delayed.reason === 'banned' && delayed.until - Date.now() <= 300);
    lab.whatsapp.refuseLogin(NUMERO, undefined);
    await until(() => lab.events(NUMERO).at(-1)?.type === 'state', 'the connection');
  });
});

describe('what the library says of an end', () => {
  const stream = (statusCode: number, attrs: Record<string, string>) =>
    new Boom('Stream Errored', { statusCode, data: { tag: 'conflict', attrs } });

  test('is its status code, and for a ban how long it lasts', () => {
    const failure = new Boom('Connection Failure', {
      statusCode: 402,
      data: { reason: '402', expire: '90' },
    });
    assert.deepEqual(closeOf(failure, true), { code: 402, reached: true, sent: true, ban: 90_000 });
    assert.deepEqual(closeOf(new Boom('x', { statusCode: 428 }), false), { code: 428, reached: false });
    assert.deepEqual(closeOf(stream(440, { type: 'replaced' }), true), {
      code: 440,
      reached: true,
      sent: true,
    });
  });

  test('is that the device was removed, whatever the code', () => {
    assert.deepEqual(closeOf(stream(440, { type: 'device_removed' }), true), {
      code: 401,
      reached: true,
      sent: true,
      removed: true,
    });
  });

  test('is that of the library if WhatsApp has sent none', () => {
    assert.deepEqual(closeOf(new Boom('x', { statusCode: 408 }), true), { code: 408, reached: true });
    const broken = new Boom('x', { statusCode: 408, data: new Error('read ETIMEDOUT') });
    assert.deepEqual(closeOf(broken, true), { code: 408, reached: true });
    const failure = new Boom('x', { statusCode: 408, data: { reason: '408' } });
    assert.deepEqual(closeOf(failure, true), { code: 408, reached: true, sent: true });
  });

  test('may be nothing, or nonsense', () => {
    for (const error of [
      undefined,
      new Error('x'),
      Object.assign(new Error('x'), { output: null, data: 7 }),
    ]) {
      assert.deepEqual(closeOf(error, true), { code: 0, reached: true });
    }
    for (const expire of ['0', '-5', 'soon', '']) {
      const error = new Boom('x', { statusCode: 402, data: { expire } });
      assert.deepEqual(closeOf(error, true), { code: 402, reached: true, sent: true });
    }
  });
});
