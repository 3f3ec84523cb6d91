import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { runCommand } from '../../src/commands.ts';
import { list } from '../../src/ledger/list.ts';
import { damage, devicesOf, LEAVING, makeKey, makeSessions, NUMEROS } from './support/stores.ts';

test('the list of a running gateway has phones, pending deletions and the last use', async (t) => {
  const parent = temporaryFolder();
  const folder = join(parent, 'data');
  const keyFile = makeKey(parent, 'ab');
  const store = await makeSessions(folder, { keyFile });
  t.after(() => store.close());
  await store.add('1');
  const before = Date.now();
  await (await devicesOf(store)).get(NUMEROS[0]).checkWritable();
  const [first, ...others] = await list(folder, keyFile);
  const { used, ...session } = first ?? assert.fail('empty');
  assert.deepEqual(session, { numero: NUMEROS[0], phone: NUMEROS[0], leaving: false });
  assert.ok(used && used.getTime() >= before && used.getTime() <= Date.now() + 1, `${used}`);
  assert.deepEqual(others, [
    { numero: NUMEROS[1], phone: NUMEROS[1], leaving: false, used: undefined },
    { numero: LEAVING, phone: LEAVING, leaving: true, used: undefined },
    { numero: '1', phone: null, leaving: false, used: undefined },
  ]);
  await assert.rejects(list(folder), {
    name: 'FolderError',
    message: /is encrypted with the key \w{8}: name/,
  });
});

test('a session whose keys cannot be read is listed without its phone', async () => {
  const folder = join(temporaryFolder(), 'data');
  await (await makeSessions(folder)).close();
  damage(folder, 1, 'key', 'creds');
  const phones = (await list(folder)).map(({ phone }) => phone);
  assert.deepEqual(phones, [undefined, NUMEROS[1], LEAVING]);
});

test('what is stored cannot write to the terminal', async () => {
  const folder = join(temporaryFolder(), 'data');
  const store = await makeSessions(folder);
  await store.add('1\u001b[2J\n\u202e');
  await store.close();
  const lines: string[] = [];
  const command = { name: 'list', folder, keyFile: undefined, database: undefined } as const;
  assert.equal(await runCommand(command, (line) => lines.push(line)), 0);
  assert.doesNotMatch(lines.join(''), /[\p{Cc}\p{Bidi_Control}]/u);
  assert.match(lines.at(-1) ?? '', /^1\\u001b\[2J\\u000a\\u202e {2}not linked/);
});
