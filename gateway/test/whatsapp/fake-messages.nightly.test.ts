import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { startWorld } from './fake/world.ts';

const NUMBER = '5215550001111';
const RECIPIENT = '34600000001';

describe('a message from the real Baileys through the fake WhatsApp', () => {
  test("is decrypted by the recipient, acknowledged, received, and copied to the sender's phone", async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    const recipient = whatsapp.phone(RECIPIENT);
    const id = await bare.send(RECIPIENT, '¡Hola, señora! 👋');
    await until(() => bare.receipts.length, 'the receipt');

    assert.deepEqual(recipient.messages, [{ id, number: NUMBER, text: '¡Hola, señora! 👋' }]);
    assert.deepEqual(whatsapp.phone(NUMBER).sent, [{ id, number: RECIPIENT, text: '¡Hola, señora! 👋' }]);
    assert.deepEqual(
      bare.acks.map((ack) => [ack.id, ack.error]),
      [[id, undefined]],
    );
    assert.equal(bare.receipts[0]?.id, id);
  });

  test('can be followed by others, also after a new login', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    const recipient = whatsapp.phone(RECIPIENT);
    await bare.send(RECIPIENT, 'one');
    await bare.send(RECIPIENT, 'two');
    await until(() => recipient.messages.length === 2, 'two messages');
    await bare.end();
    await bare.connect().opened();
    await bare.send(RECIPIENT, 'three');
    await until(() => recipient.messages.length === 3, 'three messages');

    assert.deepEqual(
      recipient.messages.map(({ text }) => text),
      ['one', 'two', 'three'],
    );
    assert.deepEqual(recipient.failures, []);
  });

  test('reaches another linked phone, in both directions', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const [one, other] = [await client().link(NUMBER), await client().link(RECIPIENT)];
    await Promise.all([one.send(RECIPIENT, 'question'), other.send(NUMBER, 'answer')]);
    await until(() => whatsapp.phone(RECIPIENT).messages[0]?.text === 'question', 'the question');
    await until(() => whatsapp.phone(NUMBER).messages[0]?.text === 'answer', 'the answer');
  });

  test('is sent again if the recipient cannot read it', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    const recipient = whatsapp.phone(RECIPIENT);
    await bare.send(RECIPIENT, 'before');
    await until(() => recipient.messages.length === 1, 'the first message');
    recipient.reinstall();
    await bare.send(RECIPIENT, 'after');
    await until(() => recipient.messages.length === 2, 'the second message');

    assert.equal(recipient.failures.length, 1);
    assert.equal(recipient.messages[1]?.text, 'after');
    assert.equal(whatsapp.phone(NUMBER).sent.length, 2);
  });

  test('can be answered from the phone', async (t) => {
    // The first message to a device needs the keys that it has uploaded.
    const { whatsapp, client } = await startWorld(t, { preKeys: 0 });
    const bare = await client().link(NUMBER);
    const texts: unknown[] = [];
    bare.socket.ev.on('messages.upsert', ({ messages }) => {
      for (const { key, message } of messages) if (!key.fromMe) texts.push(message?.conversation);
    });
    const [from, to] = [whatsapp.phone(RECIPIENT), whatsapp.phone(NUMBER)];
    await from.write(to, 'one');
    await from.write(to, 'two');
    await until(() => texts.length === 2, 'two messages');
    assert.deepEqual(texts, ['one', 'two']);
  });

  test('can be refused or lost', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    whatsapp.setMessageFate(RECIPIENT, 463);
    await bare.send(RECIPIENT, 'refused');
    await until(() => bare.acks[0]?.error === '463', 'the refusal');

    whatsapp.setMessageFate(RECIPIENT, 'lost');
    await bare.send(RECIPIENT, 'lost');
    await until(() => whatsapp.phone(RECIPIENT).undelivered === 2, 'the loss');
    whatsapp.setMessageFate(RECIPIENT, undefined);
    await bare.send(RECIPIENT, 'sent');
    await until(() => bare.receipts.length, 'the receipt');
    assert.equal(bare.acks.length, 2);
    assert.deepEqual(
      whatsapp.phone(RECIPIENT).messages.map(({ text }) => text),
      ['sent'],
    );
  });
});

describe('asking whether a number has WhatsApp', () => {
  test('gets yes, no, another number, or no answer', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client().link(NUMBER);
    const hasty = await client({ defaultQueryTimeoutMs: 300 }).link('5215550002222');
    whatsapp.setNoWhatsapp('34600000002');
    whatsapp.setAlias('5491155556666', '541155556666');
    whatsapp.setNoAnswer('34600000003');
    const ask = (number: string) => bare.socket.onWhatsApp(number);

    assert.deepEqual(await ask(RECIPIENT), [{ jid: `${RECIPIENT}@s.whatsapp.net`, exists: true }]);
    assert.deepEqual(await ask('34600000002'), []);
    assert.deepEqual(await ask('5491155556666'), [{ jid: '541155556666@s.whatsapp.net', exists: true }]);
    assert.equal(await hasty.socket.onWhatsApp('34600000003'), undefined);
  });

  test('gets no answer on a connection that is open but dead', async (t) => {
    const { whatsapp, client } = await startWorld(t);
    const bare = await client({ defaultQueryTimeoutMs: 300 }).link(NUMBER);
    whatsapp.phone(NUMBER).silenceLine();
    assert.equal(await bare.socket.onWhatsApp(RECIPIENT), undefined);
  });
});
