import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { backup } from '../../src/ledger/backup.ts';
import type { ProxyKind } from '../stand-ins/proxies.ts';
import { type Answer, call, itemOf } from '../support/gateway.ts';
import { LOGIN, type OpenProxy, Proxies } from '../support/proxies.ts';
import { type Lab, type LabOptions, NUMERO, OTHER, startLab } from './support/lab.ts';

const PASSWORD = 'clave-secreta';
/** The addresses from which the proxies go out; that of the gateway is 127.0.0.1. */
const [EXIT, EXIT_TOO] = ['127.0.0.9', '127.0.0.10'];
const proxies = Proxies.start({ after });

/** A gateway that knows no page that tells where proxies go out: those tests have a process of their own. */
const start = (t: Scope, options: LabOptions = {}) =>
  startLab(t, { proxyCheck: 'http://127.0.0.1:9/', ...options });

function setProxy({ gateway }: Lab, proxy: string | null): Promise<Answer> {
  return call(gateway, `/api/session/${NUMERO}/details`, { method: 'PUT', body: { proxy } });
}

/** Gives the session a proxy, and waits until it has connected through it. */
async function connectThrough(lab: Lab, proxy: OpenProxy, exit = EXIT): Promise<void> {
  await setProxy(lab, proxy.url);
  await until(() => lab.whatsapp.addressesSince(0).includes(exit), `a connection from ${exit}`);
  await lab.state('CONNECTED');
}

/** Makes the proxy fail, and waits until the session says so. */
async function fail(lab: Lab, proxy: OpenProxy): Promise<void> {
  await proxy.set('failing');
  await proxy.cut();
  await lab.state(/PROXY/);
}

describe('a proxy of its own', () => {
  for (const kind of ['http', 'socks5'] as const) {
    test(`takes everything of a session: ${kind}`, async (t) => {
      const proxy = await proxies.open(kind, EXIT, LOGIN);
      const lab = await start(t);
      await lab.levanta();
      await lab.code();
      const { status, body } = await setProxy(lab, proxy.url);
      assert.equal(status, 200);
      assert.equal(Reflect.get(Object(body), 'proxy'), proxy.name);
      // What follows is told of the first code after the change.
      await lab.state(/OPENING|AUTENTICANDO/);
      const { mark } = lab.whatsapp;
      await lab.link();
      lab.whatsapp.phone(OTHER);
      assert.equal((await lab.send([OTHER])).status, 200);
      await lab.whatsapp.phone(NUMERO).offerHistory();
      // Nobody is reached there from loopback: the error of that, too, must not show the password.
      await until(async () => (await proxy.targets()).includes('mmg.whatsapp.net:443'), 'a download');
      const { logins } = lab.whatsapp.phone(NUMERO);
      lab.whatsapp.phone(NUMERO).cutLine();
      await until(() => lab.whatsapp.phone(NUMERO).logins > logins, 'the next login');
      await lab.state('CONNECTED');
      await lab.restart();
      await lab.state('CONNECTED');
      assert.equal((await itemOf(lab.gateway, NUMERO))?.proxy, proxy.name);
      assert.equal((await lab.unlink()).status, 202);
      await lab.link();
      await lab.delete();
      assert.deepEqual(lab.whatsapp.addressesSince(mark), [EXIT]);
      assert.doesNotMatch(lab.lines.join(''), /clave-secreta/);
    });
  }

  test('can be replaced and removed', async (t) => {
    const [first, second] = [await proxies.open('http', EXIT), await proxies.open('socks5', EXIT_TOO)];
    const lab = await start(t);
    await lab.link();
    await connectThrough(lab, first);
    const { mark } = lab.whatsapp;
    await connectThrough(lab, second, EXIT_TOO);
    assert.deepEqual(lab.whatsapp.addressesSince(mark), [EXIT_TOO]);
    await setProxy(lab, null);
    await until(
      () => lab.whatsapp.addressesSince(mark).includes('127.0.0.1'),
      'a connection without a proxy',
    );
    await lab.state('CONNECTED');
    assert.equal((await itemOf(lab.gateway, NUMERO))?.proxy, undefined);
  });
});

describe('a proxy that does not work is refused with a sentence, and nothing changes', () => {
  const KINDS = ['http', 'socks5'] as const;
  type Case = [kind: ProxyKind, what: string, spoil: (proxy: OpenProxy) => Promise<string>, sentence: RegExp];
  const wrong = KINDS.flatMap((kind): Case[] => [
    [kind, 'fails', (proxy) => proxy.set('failing').then(() => proxy.url), /no deja llegar a WhatsApp/],
    [
      kind,
      'asks for another password',
      async (proxy) => proxy.url.replace(PASSWORD, 'otra'),
      /no acepta el usuario y la contraseña/,
    ],
    [kind, 'is not there', async () => `${kind}://127.0.0.1:9`, /^No se llega al proxy 127\.0\.0\.1:9\.$/],
  ]);
  const hanging = KINDS.map((kind): Case => {
    return [kind, 'hangs', (proxy) => proxy.set('hanging').then(() => proxy.url), /no responde/];
  });
  // Of what is wrong, only a proxy that hangs is given little time.
  for (const [title, cases, timings] of [
    ['whatever is wrong with it', wrong, {}],
    ['even if it says nothing', hanging, { proxy: 2_000 }],
  ] as const) {
    test(title, async (t) => {
      const lab = await start(t, { timings });
      await lab.link();
      const { mark } = lab.whatsapp;
      const refused = cases.map(async ([kind, what, spoil, sentence]) => {
        const proxy = await proxies.open(kind, EXIT, LOGIN);
        const { status, body } = await setProxy(lab, await spoil(proxy));
        const { message } = Object(body);
        assert.equal(status, 422, `${kind} ${what}`);
        assert.match(message, sentence, `${kind} ${what}`);
      });
      await Promise.all(refused);
      assert.equal((await itemOf(lab.gateway, NUMERO))?.proxy, undefined);
      await lab.state('CONNECTED');
      assert.deepEqual(lab.whatsapp.addressesSince(mark), []);
    });
  }

  test('and so is what is no proxy, without a word of what was typed', async (t) => {
    const lab = await start(t);
    await lab.levanta();
    for (const proxy of [
      'proxy.example:8080',
      'ftp://a:clave-secreta@b',
      'http://',
      'http://a:%@b',
      // Each part alone is no UTF-8.
      'http://clave-secreta%C3:%A9@b',
      // Longer than a SOCKS proxy takes.
      `socks5://a:${'clave-secreta'.repeat(20)}@b`,
      'http://b/?clave-secreta',
    ]) {
      const { status, body } = await setProxy(lab, proxy);
      assert.equal(status, 400, proxy);
      assert.match(Object(body).message, /^El proxy debe ser una dirección http:/);
    }
    assert.doesNotMatch(lab.lines.join(''), /clave-secreta/);
  });
});

describe('a session whose proxy fails', () => {
  for (const kind of ['http', 'socks5'] as const) {
    test(`stays down with that reason, and comes back through it: ${kind}`, async (t) => {
      const proxy = await proxies.open(kind, EXIT);
      const lab = await start(t, { timings: { opening: 5_000 } });
      await lab.link();
      await connectThrough(lab, proxy);
      const { mark } = lab.whatsapp;
      await proxy.set(kind === 'http' ? 'hanging' : 'failing');
      await proxy.cut();
      await lab.state('SIN CONEXIÓN CON EL PROXY: se sigue intentando...');
      const { reason } = (await itemOf(lab.gateway, NUMERO)) ?? {};
      assert.equal(reason?.code, 'proxy');
      assert.match(reason.text, new RegExp(`${proxy.name}.*\\. Sin él, la sesión no se conecta\\.$`));
      await proxy.set('failing');
      await lab.restart();
      await lab.state('SIN CONEXIÓN CON EL PROXY: se sigue intentando...');
      await proxy.set('fair');
      await lab.state('CONNECTED');
      assert.deepEqual(lab.whatsapp.addressesSince(mark), [EXIT]);
    });
  }

  test('is not unlinked without it either', async (t) => {
    const proxy = await proxies.open('http', EXIT);
    const lab = await start(t, { timings: { unlink: 300 } });
    await lab.link();
    await connectThrough(lab, proxy);
    await fail(lab, proxy);
    const { mark } = lab.whatsapp;
    assert.equal((await lab.delete()).status, 204);
    assert.deepEqual(lab.whatsapp.addressesSince(mark), []);
    assert.match(lab.printed.join(' '), /could not be told that 5215550001111 was deleted/);
  });
});

test('the proxy of all sessions takes those without one of their own', async (t) => {
  const [general, own] = [await proxies.open('socks5', EXIT, LOGIN), await proxies.open('http', EXIT_TOO)];
  const lab = await start(t, { proxy: general.url });
  await lab.link();
  assert.deepEqual(lab.whatsapp.addressesSince(0), [EXIT]);
  assert.equal((await itemOf(lab.gateway, NUMERO))?.proxy, general.name);
  await connectThrough(lab, own, EXIT_TOO);
  const { mark } = lab.whatsapp;
  await setProxy(lab, null);
  await until(() => lab.whatsapp.addressesSince(mark).includes(EXIT), 'the proxy of all');
  await lab.state('CONNECTED');
  assert.deepEqual(lab.whatsapp.addressesSince(mark), [EXIT]);
});

test('the password is in no list, push, log, history, file or backup', async (t) => {
  const proxy = await proxies.open('http', EXIT, LOGIN);
  const keyFile = join(temporaryFolder(), 'key');
  writeFileSync(keyFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const lab = await start(t, { keyFile });
  await lab.link();
  await connectThrough(lab, proxy);
  await fail(lab, proxy);
  const { body: history } = await call(lab.gateway, `/api/session/${NUMERO}/history`);
  const entry = (history as { event: string; detail?: string }[]).find(({ event }) => event === 'proxy');
  assert.equal(entry?.detail, proxy.name);
  const copy = join(lab.folder, 'copy.backup');
  await backup(lab.folder, copy);
  const files = readdirSync(lab.folder).map((name) => readFileSync(join(lab.folder, name), 'latin1'));
  assert.ok(files.length > 1);
  const told = [await lab.list(), lab.listener.all, history].map((value) => JSON.stringify(value));
  for (const text of [...told, ...lab.lines, ...files]) {
    assert.doesNotMatch(text, /clave-secreta|YW5hOmNsYXZlLXNlY3JldGEv/);
  }
});
