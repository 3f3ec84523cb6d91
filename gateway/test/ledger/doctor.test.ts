import assert from 'node:assert/strict';
import { chmodSync, truncateSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { listening } from '../../../test/support/listening.ts';
import { mockTimers } from '../../../test/support/mock-timers.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { doctor } from '../../src/doctor.ts';
import { damage, makeKey, makeSessions, NUMEROS } from './support/stores.ts';

/** A server that answers everything with 404, and its time, which differs from this machine's. */
async function startServer(t: TestContext, difference = 0): Promise<string> {
  const server = createServer((_, answer) => {
    answer.setHeader('date', new Date(Date.now() + difference).toUTCString());
    answer.writeHead(404).end();
  });
  return `127.0.0.1:${await listening(t, server)}`;
}

async function startFolder() {
  const parent = temporaryFolder();
  const folder = join(parent, 'data');
  const store = await makeSessions(folder);
  return { parent, folder, store };
}

/** Asserts that exactly one check fails, with this sentence. */
async function assertOneFault(message: string, ...args: Parameters<typeof doctor>): Promise<void> {
  const { lines, isWell } = await doctor(...args);
  assert.deepEqual(
    lines.filter((line) => !line.startsWith('ok     ')),
    [`wrong  ${message}`],
  );
  assert.equal(isWell, false);
}

test('a healthy gateway that runs is found well', async (t) => {
  const { folder, store } = await startFolder();
  t.after(() => store.close());
  const host = await startServer(t);
  const { lines, isWell } = await doctor(folder, undefined, { url: `ws://${host}/ws` });
  assert.match(lines[0] ?? '', /^ok +Gateway \d+\.\d+\.\d+, store version 1, Node \d+\.\d+\.\d+\.$/);
  assert.match(lines[1] ?? '', /^ok +The client library is Baileys 7\.0\.0-rc14\.$/);
  assert.match(
    lines[2] ?? '',
    /^ok +The gateway presents WhatsApp Web 2\.3000\.\d+; it asks no other server/,
  );
  assert.deepEqual(lines.slice(3), [
    'ok     No key file is named.',
    `ok     Only their owner can change '${folder}' and read its files.`,
    'ok     The store is intact: 3 sessions.',
    'ok     The credentials of every session can be read: 3 of 3 sessions linked.',
    `ok     ${host} answers; whether it takes a session shows only when one connects.`,
    `ok     The clock agrees with that of ${host}.`,
  ]);
  assert.equal(isWell, true);
});

test('each fault is one sentence with the next step', async (t) => {
  const { parent, folder, store } = await startFolder();
  await store.close();
  const host = await startServer(t);
  const url = `ws://${host}/`;
  const file = join(folder, 'sessions.sqlite');

  chmodSync(folder, 0o770);
  await assertOneFault(
    `Other users can write to '${folder}'. Run this first: chmod go-w '${folder}'`,
    folder,
    undefined,
    { url },
  );
  chmodSync(folder, 0o700);
  chmodSync(file, 0o640);
  await assertOneFault(
    `Other users have access to '${file}'. Run this first: chmod 600 '${file}'`,
    folder,
    undefined,
    { url },
  );
  chmodSync(file, 0o600);
  await assertOneFault(
    `The store in '${folder}' is not encrypted: leave --key-file out.`,
    folder,
    makeKey(parent, 'ab'),
    { url },
  );
  await assertOneFault(
    `127.0.0.1:9 cannot be reached (ECONNREFUSED): let this machine connect to it, by DNS and firewall.`,
    folder,
    undefined,
    { url: 'ws://127.0.0.1:9/' },
  );
  // Servers tell whole seconds.
  mockTimers(t.mock, { apis: ['Date'], now: Math.ceil(Date.now() / 1_000) * 1_000 });
  const late = await startServer(t, -3_600_000);
  await assertOneFault(`The clock is 3600 s ahead of that of ${late}: set it, by NTP.`, folder, undefined, {
    url: `ws://${late}/`,
  });
  t.mock.timers.reset();

  damage(folder, 1, 'key', 'creds');
  await assertOneFault(
    `The keys of ${NUMEROS[0]} cannot be read: delete these sessions and link them again, or bring a backup back with restore.`,
    folder,
    undefined,
    { url },
  );
});

test('a damaged or missing store is found', async (t) => {
  const { folder, store } = await startFolder();
  await store.close();
  const url = `ws://${await startServer(t)}/`;
  const wrong = async (of: string) =>
    (await doctor(of, undefined, { url })).lines.filter((line) => line.startsWith('wrong  '));
  truncateSync(join(folder, 'sessions.sqlite'), 8_192);
  for (const line of await wrong(folder)) {
    assert.equal(
      line,
      `wrong  The store in '${folder}' is damaged: stop the gateway and bring a backup back with restore.`,
    );
  }
  const empty = join(folder, 'none');
  const none = `wrong  There is no store in '${empty}': name the gateway's folder with --data.`;
  assert.deepEqual(await wrong(empty), [none]);
});

test('the version of WhatsApp Web is told with its source and its age', async (t) => {
  const { folder, store } = await startFolder();
  t.after(() => store.close());
  const told = async (fixed?: string) => {
    const { lines } = await doctor(folder, undefined, { url: 'wss://web.whatsapp.com:1/', version: fixed });
    return lines.find((line) => line.includes('presents')) ?? '';
  };
  const day = 24 * 60 * 60_000;
  assert.match(
    await told(),
    /^\? +The .* 2\.3000\.\d+, that of the client library, .*: it may be too old to link phones\./,
  );
  await store.keepVersion({ version: '2.3000.4000000000', confirmed: Date.now() - 3 * day });
  assert.match(await told(), /^ok +The .* 2\.3000\.4000000000, which WhatsApp confirmed 3 days ago\.$/);
  await store.keepVersion({ version: '2.3000.4000000000', confirmed: Date.now() - 61 * day });
  assert.match(await told(), /^\? +The .* which WhatsApp confirmed 61 days ago: it may be too old/);
  assert.match(await told('2.3000.7'), /^ok +The .* 2\.3000\.7, as --whatsapp-version says\.$/);
});

test('a proxy that never answers does not hold the examination up', async (t) => {
  const { folder, store } = await startFolder();
  await store.close();
  let asked = 0;
  const proxy = createServer().on('connect', (_, client) => {
    asked += 1;
    client.on('error', () => {});
    // Nothing else ends the wait.
    t.mock.timers.tick(10_000);
  });
  const port = await listening(t, proxy);
  mockTimers(t.mock, { apis: ['setTimeout'] });
  const { lines } = await doctor(folder, undefined, {
    url: 'ws://whatsapp.example/',
    proxy: `http://127.0.0.1:${port}`,
  });
  assert.deepEqual(
    lines.filter((line) => line.startsWith('wrong')),
    [
      `wrong  The proxy 127.0.0.1:${port} does not work: it does not answer. Find out whether it runs.`,
      'wrong  whatsapp.example cannot be reached (ETIMEDOUT): let this machine connect to it, by DNS and firewall.',
    ],
  );
  assert.equal(asked, 2);
});
