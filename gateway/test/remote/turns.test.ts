import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapInTurns } from '../../src/engines/remote/turns.ts';

test('items are mapped in order, so many at a time', async () => {
  let running = 0;
  let most = 0;
  const doubled = await mapInTurns([1, 2, 3, 4, 5], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await null;
    running -= 1;
    return 2 * item;
  });
  assert.deepEqual(doubled, [2, 4, 6, 8, 10]);
  assert.equal(most, 2);
});

test('a failure is reported once those under way have ended, and no other starts', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const mapped = mapInTurns([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 1) throw new Error('first');
    await new Promise((resolve) => setImmediate(resolve));
    ended.push(item);
  });
  await assert.rejects(mapped, /first/);
  assert.deepEqual([begun, ended], [[1, 2], [2]]);
});
