import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkQueue } from '../src/sessions/work-queue.ts';

test('tasks of one key run one after the other, also after one that fails; those of another do not wait', async () => {
  const queue = new WorkQueue();
  const log: string[] = [];
  let endFirst = () => {};
  const first = queue.run('a', () => {
    log.push('first');
    return new Promise<void>((_, reject) => {
      endFirst = () => reject(new Error('no'));
    });
  });
  const second = queue.run('a', async () => log.push('second'));
  await queue.run('b', async () => log.push('other'));
  assert.deepEqual(log, ['first', 'other']);
  assert.equal(queue.isIdle('a'), false);

  endFirst();
  await assert.rejects(first, /no/);
  await second;
  assert.deepEqual(log, ['first', 'other', 'second']);
  // Whoever awaited the task runs before the queue forgets it.
  await Promise.resolve();
  assert.equal(queue.isIdle('a'), true);
});

test('a key that is used again meanwhile is not idle', async () => {
  const queue = new WorkQueue();
  const first = queue.run('a', async () => {});
  const second = queue.run('a', () => new Promise<void>(() => {}));
  void second;
  await first;
  await Promise.resolve();
  assert.equal(queue.isIdle('a'), false);
});
