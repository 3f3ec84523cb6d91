import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mailbox } from '../src/sessions/mailbox.ts';

test('tasks run one after the other, also after one that fails', async () => {
  const mailbox = new Mailbox();
  const log: string[] = [];
  let endFirst = () => {};
  const first = mailbox.run(() => {
    log.push('first');
    return new Promise<void>((_, reject) => {
      endFirst = () => reject(new Error('no'));
    });
  });
  const second = mailbox.run(async () => log.push('second'));
  await Promise.resolve();
  assert.deepEqual(log, ['first']);

  endFirst();
  await assert.rejects(first, /no/);
  assert.equal(mailbox.isEmpty, false);
  await second;
  assert.deepEqual(log, ['first', 'second']);
  assert.equal(mailbox.isEmpty, true);
});
