import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { AckedMessage, Acks } from '../../src/engines/acks.ts';
import type { Ack } from '../../src/sessions/engine.ts';
import { messageDeadlines, SEND } from './support/deadlines.ts';
import { type EngineLab, type EngineLabOptions, startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';

async function startLinked(t: TestContext, options?: EngineLabOptions) {
  const lab = await startEngine(t, options);
  await lab.link(NUMERO);
  return lab;
}

/** Sends a text and returns its acks, to which later ones are appended. */
async function send(lab: EngineLab, to = OTHER): Promise<{ delivery: string; acks: Ack[] }> {
  const acks: Ack[] = [];
  let isOver = false;
  const delivery = await lab.engine.send(NUMERO, to, 'Hola', (ack) => {
    assert.ok(isOver, 'before the outcome');
    acks.push(ack);
  });
  isOver = true;
  return { delivery, acks };
}

describe('a message that WhatsApp has accepted', () => {
  test('is followed to the phone and until it is read, and never back', async (t) => {
    const lab = await startLinked(t);
    const { delivery, acks } = await send(lab);
    assert.equal(delivery, 'sent');
    await until(() => acks.length === 1, 'the receipt');
    lab.whatsapp.phone(OTHER).acknowledge('read');
    await until(() => acks.length === 2, 'the reading');
    lab.whatsapp.phone(OTHER).acknowledge();
    lab.whatsapp.phone(OTHER).acknowledge('played');
    // What follows it shows that these have arrived.
    const other = await send(lab);
    await until(() => other.acks.length === 1, 'the receipt of the next message');
    assert.deepEqual(acks, ['device', 'read']);
  });

  test('is followed over a lost line and a new start', async (t) => {
    const lab = await startLinked(t);
    const { acks } = await send(lab);
    await until(() => acks.length === 1, 'the receipt');
    lab.whatsapp.phone(NUMERO).cutLine();
    await until(
      () => lab.events(NUMERO).some((event) => event.type === 'state' && event.state === 'CONNECTED'),
      'a line',
    );
    await lab.start(NUMERO);
    await lab.last(NUMERO, 'ready');
    lab.whatsapp.phone(OTHER).acknowledge('read');
    await until(() => acks.length === 2, 'the reading');
    assert.deepEqual(acks, ['device', 'read']);
  });

  test('may fail after all', async (t) => {
    const lab = await startLinked(t);
    lab.whatsapp.setMessageFate(OTHER, { later: 479 });
    const { delivery, acks } = await send(lab);
    assert.equal(delivery, 'sent');
    // The library holds it back until something else arrives.
    await send(lab, '34600000003');
    await until(() => acks.length === 1, 'the failure');
    assert.deepEqual(acks, ['failed']);
  });

  test('may never arrive', async (t) => {
    const lab = await startLinked(t);
    lab.whatsapp.setMessageFate(OTHER, 'undelivered');
    const { acks } = await send(lab);
    const other = await send(lab, '34600000003');
    await until(() => other.acks.length === 1, 'the receipt of the next message');
    assert.deepEqual(acks, []);
  });

  test('that was not confirmed in time may turn out to have arrived', async (t) => {
    const deadlines = messageDeadlines(t);
    const lab = await startLinked(t, { timings: { send: SEND } });
    let accept = () => {};
    lab.whatsapp.setMessageFate(OTHER, new Promise<void>((resolve) => (accept = resolve)));
    const sent = send(lab);
    await until(() => lab.whatsapp.phone(OTHER).undelivered === 1, 'the message');
    deadlines.at(-1)?.abort();
    const { delivery, acks } = await sent;
    assert.equal(delivery, 'unconfirmed');
    accept();
    await until(() => acks.length === 1, 'the receipt');
    assert.deepEqual(acks, ['device']);
  });
});

describe('acks', () => {
  const follow = (acks: Acks, id: string) => {
    const told: Ack[] = [];
    const message = new AckedMessage((ack) => told.push(ack));
    acks.follow(id, message);
    return { told, message };
  };

  test('that come before the outcome are reported with it, only the furthest one', () => {
    const acks = new Acks();
    const { told, message } = follow(acks, 'a');
    for (const ack of ['failed', 'read', 'device'] as const) acks.note('a', ack);
    assert.deepEqual(told, []);
    message.tell();
    assert.deepEqual(told, ['read']);
  });

  test('of a message that arrived after a failure say so, and none the other way round', () => {
    const acks = new Acks();
    const { told, message } = follow(acks, 'a');
    message.tell();
    for (const ack of ['failed', 'failed', 'device', 'failed', 'device', 'read', 'device'] as const)
      acks.note('a', ack);
    assert.deepEqual(told, ['failed', 'device', 'read']);
  });

  test('are those of the last 200 messages that were sent here', () => {
    const acks = new Acks();
    const messages = Array.from({ length: 201 }, (_, index) => follow(acks, String(index)));
    for (const [index, { message }] of messages.entries()) {
      message.tell();
      acks.note(String(index), 'device');
    }
    acks.note('stranger', 'read');
    assert.deepEqual(messages.map(({ told }) => told.length).indexOf(1), 1);
  });
});
