import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LastOfEach } from '../../src/engines/remote/last-of-each.ts';
import { excessIn, LONGEST, LONGEST_LIST } from '../../src/engines/remote/limits.ts';

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

test('a list of 2,000 sessions with 3 kB each is read', () => {
  const session = { name: '34600000001', profileName: 'Ana', Setting: { text: 'a'.repeat(3_000) } };
  const text = JSON.stringify(Array(2_000).fill(session));
  assert.ok(Buffer.byteLength(text) < LONGEST.list);
  assert.equal(excessIn(text), undefined);
});

test('of more sessions than a list may have, the last words of the oldest are forgotten', () => {
  const words = new LastOfEach();
  for (let name = 0; name <= LONGEST_LIST; name++) words.set(String(name), 'WORKING');
  assert.equal(words.size, LONGEST_LIST);
  assert.equal(words.get('0'), undefined);
  words.keepOnly([{ name: '1' }]);
  assert.deepEqual([...words.keys()], ['1']);
});
