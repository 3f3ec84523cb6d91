import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastOfEach } from '../../src/engines/remote/last-of-each.ts';
import { FEED, FeedPace, isNestedTooDeeply, MOST_SESSIONS } from '../../src/engines/remote/limits.ts';

test('a feed may tell so many events in a second, and so many bytes', () => {
  const [few, long] = [new FeedPace(), new FeedPace()];
  for (let event = 0; event < FEED.messages; event++) assert.ok(few.takes(1));
  assert.equal(few.takes(1), false);
  assert.ok(long.takes(FEED.bytes));
  assert.equal(long.takes(1), false);
});

test('texts are nested too deeply, whatever their strings hold', () => {
  const nested = (depth: number) => '[{"a\\\\":'.repeat(depth / 2) + ']}'.repeat(depth / 2);
  assert.equal(isNestedTooDeeply(nested(32)), false);
  assert.equal(isNestedTooDeeply(nested(34)), true);
  assert.equal(isNestedTooDeeply(JSON.stringify({ text: `\\"${'['.repeat(100)}` })), false);
  assert.equal(isNestedTooDeeply('[]'.repeat(100)), false);
});

test('of more sessions than are taken, the last words of the oldest are forgotten', () => {
  const words = new LastOfEach();
  for (let name = 0; name <= MOST_SESSIONS; name++) words.set(String(name), 'WORKING');
  assert.equal(words.size, MOST_SESSIONS);
  assert.equal(words.get('0'), undefined);
  words.keepOnly([{ name: '1' }]);
  assert.deepEqual([...words.keys()], ['1']);
});
