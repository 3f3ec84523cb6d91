import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PATIENCE } from '../../../test/support/patience.ts';
import { until } from '../../../test/support/until.ts';
import { openSessions } from '../ledger/support/stores.ts';
import { NUMERO } from '../support/gateway.ts';
import { HOUR } from './support/channel-lab.ts';
import { connected, layOut, link, SUPERVISOR } from './support/lab.ts';
import { startReceiver } from './support/receiver.ts';

const OTHER = '5215550002222';

/** What the folder of a gateway that has ended keeps of a channel. */
async function stored(folder: string, channel: 'webhook' | 'whatsapp') {
  const ledger = await openSessions(folder);
  const told = await ledger.readTold(channel);
  const state = JSON.parse(told?.text ?? '{}');
  await ledger.close();
  return state;
}

/** Has the next attempt be due at the next start, as if that came later. */
async function passTime(folder: string): Promise<void> {
  const ledger = await openSessions(folder);
  const told = await ledger.readTold('webhook');
  const state = JSON.parse(told?.text ?? assert.fail('nothing is stored'));
  state.pending.due = 0;
  assert.ok(await ledger.replaceTold('webhook', JSON.stringify(state), told?.version));
  await ledger.close();
}

test('what was not delivered before a restart is delivered after it by the same id, and told once', async (t) => {
  const { whatsapp, folder, log, start } = await layOut(t);
  const receiver = await startReceiver(t);
  receiver.status = 503;
  const first = await start(receiver.notify);
  await link(first, whatsapp);
  whatsapp.phone(NUMERO).unlink();
  const { id, sessions } = await until(() => receiver.deliveries[0], 'an attempt');
  assert.deepEqual(
    sessions.map(({ numero, event }) => [numero, event]),
    [[NUMERO, 'unlinked']],
  );
  await first.close();
  await passTime(folder);

  receiver.status = 200;
  const second = await start(receiver.notify);
  await until(() => receiver.accepted.has(id), 'the notification');
  await until(() => log.includes('A notification was delivered.'), 'the end of the attempt');
  await second.close();
  assert.equal((await stored(folder, 'webhook')).pending, undefined);

  const third = await start(receiver.notify);
  await link(third, whatsapp);
  await until(() => receiver.told.includes(`back ${NUMERO}`), 'the end of it');
  assert.deepEqual(receiver.told, [`unlinked ${NUMERO}`, `back ${NUMERO}`]);
  assert.equal(receiver.accepted.size, 2);
});

test('a planned restart is no incident', async (t) => {
  const { whatsapp, start } = await layOut(t);
  const receiver = await startReceiver(t);
  const notify = { ...receiver.notify, after: 0 };
  const first = await start(notify);
  await link(first, whatsapp);
  await link(first, whatsapp, OTHER);
  await first.drain();
  const second = await start(notify);
  await connected(second);
  await connected(second, OTHER);
  whatsapp.phone(OTHER).unlink();
  await until(() => receiver.told.length > 0, 'a notification');
  assert.deepEqual(receiver.told, [`unlinked ${OTHER}`]);
});

test('a drain ends an attempt that nobody answers, and the next gateway tries again', async (t) => {
  const { whatsapp, folder, start } = await layOut(t);
  const receiver = await startReceiver(t);
  receiver.status = undefined;
  const gateway = await start(receiver.notify);
  await link(gateway, whatsapp);
  whatsapp.phone(NUMERO).unlink();
  const { id } = await until(() => receiver.deliveries[0], 'an attempt');
  await gateway.drain();
  const { pending } = await stored(folder, 'webhook');
  assert.deepEqual([pending.notification.id, pending.attempts, pending.trying], [id, 1, false]);
});

test('a drain waits for the message to the supervisor', async (t) => {
  const { whatsapp, folder, log, start } = await layOut(t);
  let accept = () => {};
  whatsapp.setMessageFate(
    SUPERVISOR,
    new Promise((resolve) => {
      accept = resolve;
    }),
  );
  const notify = { whatsapp: SUPERVISOR, timings: { poll: 50, groupWait: 0, interval: 0 } };
  const first = await start(notify);
  for (const numero of [NUMERO, OTHER]) await link(first, whatsapp, numero);
  whatsapp.phone(NUMERO).unlink();
  await until(() => whatsapp.phone(SUPERVISOR).undelivered === 1, 'the message');
  const drained = first.drain();
  await until(() => log.some((sentence) => sentence.startsWith('Ending:')), 'the drain');
  accept();
  await drained;
  const { told, pending } = await stored(folder, 'whatsapp');
  assert.deepEqual([told[NUMERO].open, pending], ['unlinked', undefined]);

  const second = await start(notify);
  await connected(second, OTHER);
  await link(second, whatsapp);
  const { messages } = whatsapp.phone(SUPERVISOR);
  await until(() => messages.length === 2, 'the end of it');
  assert.match(messages[0]?.text ?? '', /necesita que la vinculen de nuevo/);
  assert.match(messages[1]?.text ?? '', /vuelve a funcionar/);
  assert.deepEqual(
    log.filter((sentence) => /given up|has failed|have failed/.test(sentence)),
    [],
  );
});

test('the end of a gateway does not wait for WhatsApp to answer', async (t) => {
  const { whatsapp, start } = await layOut(t);
  whatsapp.setMessageFate(SUPERVISOR, 'lost');
  const notify = { whatsapp: SUPERVISOR, timings: { poll: 50, groupWait: 0, interval: 0 } };
  const gateway = await start(notify, { send: HOUR });
  for (const numero of [NUMERO, OTHER]) await link(gateway, whatsapp, numero);
  whatsapp.phone(NUMERO).unlink();
  await until(() => whatsapp.phone(SUPERVISOR).undelivered === 1, 'the message');
  const begun = performance.now();
  await gateway.close();
  assert.ok(performance.now() - begun < PATIENCE);
});
