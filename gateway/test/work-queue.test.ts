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
  // The queue forgets a task one turn after those who await it.
  await Promise.resolve();
  assert.equal(queue.isIdle('a'), true);
});

test('a key with another task is not idle when the first ends', async () => {
  const queue = new WorkQueue();
  const first = queue.run('a', async () => {});
  void queue.run('a', () => new Promise<void>(() => {}));
  await first;
  await Promise.resolve();
  assert.equal(queue.isIdle('a'), false);
});
