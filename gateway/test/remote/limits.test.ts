import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastOfEach } from '../../src/engines/remote/last-of-each.ts';
import { excessIn, LONGEST, LONGEST_LIST, MOST_SESSIONS } from '../../src/engines/remote/limits.ts';

test('texts are nested too deeply, whatever their strings hold', () => {
  const nested = (depth: number) => '[{"a\\\\":'.repeat(depth / 2) + ']}'.repeat(depth / 2);
  assert.equal(excessIn(nested(32)), undefined);
  assert.equal(excessIn(nested(34)), 'nested too deeply');
  assert.equal(excessIn(JSON.stringify({ text: `\\"${'['.repeat(100)}` })), undefined);
  assert.equal(excessIn('[]'.repeat(100)), undefined);
});

test('a list may have so many items, whatever they hold', () => {
  const list = (count: number) => JSON.stringify(Array(count).fill({ a: ',",', b: [1, 2] }));
  assert.equal(excessIn(list(LONGEST_LIST)), undefined);
  assert.equal(excessIn(list(LONGEST_LIST + 1)), `${LONGEST_LIST + 1} sessions`);
});

test('a list of as many sessions as are listed here, with 3 kB each, is read', () => {
  const session = { name: '34600000001', profileName: 'Ana', Setting: { text: 'a'.repeat(3_000) } };
  const text = JSON.stringify(Array(MOST_SESSIONS).fill(session));
  assert.ok(Buffer.byteLength(text) < LONGEST.list);
  assert.equal(excessIn(text), undefined);
});

test('of more sessions than are taken, the last words of the oldest are forgotten', () => {
  const words = new LastOfEach();
  for (let name = 0; name <= MOST_SESSIONS; name++) words.set(String(name), 'WORKING');
  assert.equal(words.size, MOST_SESSIONS);
  assert.equal(words.get('0'), undefined);
  words.keepOnly([{ name: '1' }]);
  assert.deepEqual([...words.keys()], ['1']);
});
