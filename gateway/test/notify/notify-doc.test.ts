import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Page } from '../../../test/readme/page.ts';
import { listening } from '../../../test/support/listening.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { until } from '../../../test/support/until.ts';
import type { Notification } from '../../src/notify/notification.ts';
import { textOf } from '../../src/notify/text.ts';
import { Webhook } from '../../src/notify/webhook.ts';
import { observe } from '../support/command.ts';

const PAGE = new Page('docs/notify.md');
const RECEIVER = PAGE.snippet('A receiver', 'js');
const RELAY = PAGE.snippet('A relay to a chat', 'js');
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER_SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const MINUTE = 60_000;
/** Has a connection end with its call: Node closes one that has been kept for five seconds while the next call comes. */
const ONCE = { Connection: 'close' };

/** Its text does not depend on when it is made. */
const NOTIFICATION: Notification = {
  id: 'msg_1',
  at: Date.now(),
  total: 2,
  counts: { unlinked: 1 },
  items: [{ numero: '34600000001', name: 'Peña', event: 'unlinked', state: 'DESCONECTADO', since: 0 }],
};
const TEXT = textOf(NOTIFICATION, Date.now());

/** Starts a receiver of the page, and resolves with its URL. */
async function start(t: TestContext, code: string, env: Record<string, string> = {}) {
  const PORT = String(await stablePort());
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, WO_NOTIFY_SECRET: SECRET, PORT, ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${PORT}/`;
  const run = observe(child);
  await until(() => fetch(url, { headers: ONCE }), 'the receiver to listen').catch(() =>
    assert.fail(run.output.stderr),
  );
  return { url, run };
}

/** Serves other people's part, and resolves with its URL. */
async function serve(t: TestContext, listener: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(listener);
  const close = () => server.close().closeAllConnections();
  return { url: `http://127.0.0.1:${await listening(t, server)}/`, close };
}

/** Sends a notification as the gateway does. Rejects if the receiver does not accept it. */
async function notify(url: string, changes: Partial<Notification> = {}, secret = SECRET): Promise<void> {
  const webhook = new Webhook({ url, secret });
  try {
    await webhook.deliver({ ...NOTIFICATION, ...changes });
  } finally {
    await webhook.close();
  }
}

interface Call {
  /** The body, in place of the one that was signed. */
  readonly sent?: string;
  /** When it was signed, in milliseconds from now. */
  readonly signed?: number;
  /** In place of that, in seconds since 1970. */
  readonly timestamp?: string | undefined;
  readonly signature?: string;
}

const BODY = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: { text: TEXT } });

/** Sends a call that anybody could make up, and resolves with the status of the answer. */
async function forge(url: string, { sent = BODY, signed = 0, ...call }: Call): Promise<number> {
  const id = 'msg_forged';
  const signedAt = new Date(Date.now() + signed);
  const { timestamp = String(Math.floor(signedAt.getTime() / 1_000)) } = call;
  const { signature = new StandardWebhook(SECRET).sign(id, signedAt, BODY) } = call;
  const own = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  return (await fetch(url, { method: 'POST', headers: { ...ONCE, ...own }, body: sent })).status;
}

const FORGERIES: readonly (readonly [how: string, call: Call])[] = [
  ['with another body', { sent: BODY.replace('Peña', 'Otra') }],
  [
    'with the signature of another secret',
    { signature: new StandardWebhook(OTHER_SECRET).sign('msg_forged', new Date(), BODY) },
  ],
  ['with a signature of another length', { signature: 'v1,AAAA' }],
  ['with an empty signature', { signature: '' }],
  ['of six minutes ago', { signed: -6 * MINUTE }],
  ['of the future', { signed: 6 * MINUTE }],
  [
    'of six minutes ago, with a new timestamp',
    { signed: -6 * MINUTE, timestamp: String(Math.floor(Date.now() / 1_000)) },
  ],
  ['with a timestamp that is none', { timestamp: 'now' }],
];

describe('the receivers in docs/notify.md', () => {
  test('are short', () => {
    for (const code of [RECEIVER, RELAY]) assert.ok(code.trimEnd().split('\n').length <= 20);
  });

  test('one prints what the gateway tells, once for each id', async (t) => {
    const { url, run } = await start(t, RECEIVER);
    await notify(url);
    await notify(url);
    await notify(url, {
      id: 'msg_2',
      counts: { back: 1 },
      items: [{ numero: '34600000001', event: 'back', state: 'CONNECTED', since: 0 }],
    });
    await until(() => run.output.stdout.includes('vuelve'), 'the second notification');
    assert.deepEqual(run.output.stdout.split('\n'), [TEXT, '34600000001 vuelve a funcionar.', '']);
    assert.equal(run.output.stderr, '');
  });

  test('the other one passes it on to a chat, and is asked again if the chat does not take it', async (t) => {
    const heard: unknown[] = [];
    let status = 500;
    const chat = await serve(t, async (request, response) => {
      heard.push(request.headers['content-type'], JSON.parse(await text(request)));
      response.writeHead(status, ONCE).end();
    });
    const { url, run } = await start(t, RELAY, { CHAT_URL: chat.url });
    await assert.rejects(notify(url), { code: 'HTTP_502' });
    status = 200;
    await notify(url);
    const posted = ['application/json', { text: TEXT }];
    assert.deepEqual(heard, [...posted, ...posted]);
    chat.close();
    await assert.rejects(notify(url), { code: 'HTTP_502' });
    assert.equal(run.child.exitCode, null);
  });

  for (const [name, code, printed] of [
    ['the receiver', RECEIVER, `${TEXT}\n`],
    ['the relay', RELAY, ''],
  ] as const) {
    test(`${name} refuses what the gateway has not signed, or not just now`, async (t) => {
      const chat = await serve(t, (_request, response) => response.end());
      const { url, run } = await start(t, code, { CHAT_URL: chat.url });
      await assert.rejects(notify(url, {}, OTHER_SECRET), { code: 'HTTP_401' });
      for (const [how, call] of FORGERIES) assert.equal(await forge(url, call), 401, how);
      assert.equal((await fetch(url, { method: 'POST', headers: ONCE, body: BODY })).status, 401);
      // The same call, with nothing forged.
      assert.equal(await forge(url, {}), 204);
      await until(() => run.output.stdout === printed, 'only the last call to be printed');
      assert.equal(run.output.stderr, '');
    });
  }
});

/** Returns the names of all fields of a value. */
function fieldsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (!(value instanceof Object)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsIn(inner)]);
}

test('the payload in docs/notify.md is the one that the gateway sends', async (t) => {
  const payload = JSON.parse(PAGE.snippet('The webhook', 'json'));
  const bodies: unknown[] = [];
  const { url } = await serve(t, async (request, response) => {
    bodies.push(JSON.parse(await text(request)));
    response.writeHead(204).end();
  });
  const { total, counts, sessions } = payload.data;
  await notify(url, {
    at: Date.parse(payload.timestamp),
    total,
    counts,
    items: sessions.map(({ since, ...item }: { since: string }) => ({ ...item, since: Date.parse(since) })),
  });
  const [sent] = bodies;
  assert.deepEqual(Object.keys(Object(sent).data), Object.keys(payload.data));
  // Its text depends on the time.
  assert.deepEqual({ ...Object(sent), data: { ...Object(sent).data, text: payload.data.text } }, payload);
  const described = PAGE.namesInTables('The webhook');
  const undescribed = fieldsIn(payload).filter((name) => !described.includes(name));
  assert.deepEqual(new Set(undescribed), new Set(['data', 'unlinked', 'away', 'numero', 'event']));
});
