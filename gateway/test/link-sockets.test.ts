import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { io, type Socket } from 'socket.io-client';
import { STATES } from '../../src/wire.ts';
import { until } from '../../test/support/until.ts';
import type { WireLinkOver, WireLinkRefusal, WireLinkView } from '../link-page/wire.ts';
import { FakeLinks, GATEWAY_TOKEN, type LinkServer, serveLinks } from './support/fake-links.ts';
import { call, NUMERO } from './support/gateway.ts';

const OTHER = '34600111222';
const UNKNOWN = 'A'.repeat(22);
const NO_USE = 'Este enlace no sirve: ya se usó, venció o se anuló. Pide otro a quien te lo envió.';

/** The socket of a page behind a link, with all that it heard. */
interface Page {
  readonly socket: Socket;
  readonly views: WireLinkView[];
  readonly overs: WireLinkOver[];
  readonly events: string[];
}

const TRANSPORTS = ['polling', 'websocket'] as const;

function page(t: TestContext, { url }: LinkServer, auth: object, transport = 'websocket'): Page {
  const socket = io(`${url}/link`, {
    auth,
    forceNew: true,
    reconnection: false,
    transports: [transport],
  });
  t.after(() => socket.disconnect());
  const heard: Page = { socket, views: [], overs: [], events: [] };
  socket.on('session', (view) => heard.views.push(view));
  socket.on('over', (over) => heard.overs.push(over));
  socket.onAny((name) => heard.events.push(name));
  return heard;
}

/** Opens a page, and waits until it shows its session. */
async function open(t: TestContext, server: LinkServer, token: string, transport?: string): Promise<Page> {
  const opened = page(t, server, { token }, transport);
  await until(() => opened.views.length > 0, 'the page to show its session');
  return opened;
}

/** Resolves with why a page is refused. */
async function refused(t: TestContext, server: LinkServer, auth: object, transport?: string) {
  const { socket } = page(t, server, auth, transport);
  let refusal: (Error & { data?: WireLinkRefusal }) | undefined;
  socket.on('connect_error', (error) => {
    refusal = error;
  });
  const { message, data } = await until(() => refusal, 'a refusal');
  return { message, data };
}

describe('the socket of a page behind a link', () => {
  for (const transport of TRANSPORTS) {
    test(`shows its session at once and after each change, then its end, over ${transport}`, async (t) => {
      const links = new FakeLinks();
      const server = await serveLinks(t, links);
      const before = Date.now();
      const token = links.issue(NUMERO, { name: 'Ventas' });
      links.issue(OTHER);
      const { socket, views, overs, events } = await open(t, server, token, transport);
      const [first] = views;
      assert.ok(first && first.now >= before && first.now <= Date.now());
      assert.deepEqual(
        { ...first, now: 0, expires: 0 },
        { numero: NUMERO, name: 'Ventas', state: STATES.disconnected, waiting: false, now: 0, expires: 0 },
      );
      await until(() => links.calls.includes(`opened ${NUMERO}`), 'the opening to be noted');

      links.change(OTHER, { state: STATES.authenticating, qrCode: 'ajeno' });
      links.change(NUMERO, { state: STATES.authenticating, qrCode: '2@propio' });
      await until(() => views[1]?.qrCode === '2@propio', 'its own code');
      links.end(OTHER, 'linked');
      links.end(NUMERO, 'linked');
      await until(() => socket.disconnected, 'the end of the connection');
      assert.deepEqual(overs, [{ reason: 'linked' }]);
      assert.deepEqual(events, ['session', 'session', 'over']);
    });
  }

  test('is refused without the token of a link, whatever else it has', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO);
    for (const auth of [
      {},
      { token: '' },
      { token: null },
      { token: [token] },
      { token: `${token}x` },
      { token: UNKNOWN },
      { token: GATEWAY_TOKEN },
      { bearer: token },
    ]) {
      const refusal = await refused(t, server, auth);
      assert.deepEqual(refusal, { message: NO_USE, data: { passing: false } }, JSON.stringify(auth));
    }
    assert.deepEqual(links.calls, []);
  });

  test('hears how its link ended, if it comes back afterwards', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    for (const reason of ['linked', 'expired', 'revoked', 'deleted'] as const) {
      const token = links.issue(NUMERO);
      const { socket } = await open(t, server, token);
      socket.disconnect();
      links.end(NUMERO, reason);
      const { data } = await refused(t, server, { token });
      assert.deepEqual(data, { over: reason, passing: false });
    }
  });

  test('is one of five at most, also when they come at once: the oldest give way', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO);
    // Another link has its own five.
    const other = await open(t, server, links.issue(OTHER));
    const first = await open(t, server, token);
    const pages = Array.from({ length: 8 }, (_, i) => page(t, server, { token }, TRANSPORTS[i % 2]));
    const overs = () => [first, ...pages].flatMap((one) => one.overs);
    await until(() => overs().length === 4, 'four that give way');
    assert.deepEqual(first.overs, [{ reason: 'displaced' }]);
    assert.deepEqual(new Set(overs().map(({ reason }) => reason)), new Set(['displaced']));
    const left = pages.filter((one) => one.overs.length === 0);
    await until(() => left.every(({ views }) => views.length > 0), 'the others to show their session');

    const late = await open(t, server, token);
    await until(() => overs().length === 5, 'another to give way');
    left[left.findIndex((one) => one.overs.length === 0)]?.socket.disconnect();
    await until(() => first.socket.disconnected, 'the end of the connection');
    links.change(NUMERO, { state: STATES.authenticating });
    await until(() => late.views.length === 2, 'the change');
    assert.deepEqual([other.overs, late.overs, overs().length], [[], [], 5]);
    // Engine.IO, when it is closed, waits half a minute for those that poll.
    for (const { socket } of pages) socket.disconnect();
  });

  test('may come back while the store cannot tell', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO);
    links.failure = new Error('The disk is gone');
    const { message, data } = await refused(t, server, { token });
    assert.deepEqual(data, { passing: true });
    assert.equal(message, 'El servidor no puede comprobar el enlace en este momento.');
    links.failure = undefined;
    await open(t, server, token);
  });

  test('is heard by nobody, whatever it emits', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const { socket, views, events } = await open(t, server, links.issue(NUMERO));
    await until(() => links.calls.length === 1, 'the opening to be noted');
    for (const name of [
      'session',
      'over',
      'start',
      'pair',
      'subscribe',
      'join',
      'message',
      'disconnecting',
    ]) {
      if (name !== 'disconnecting') socket.emit(name, OTHER, { numero: OTHER }, () => events.push('answer'));
    }
    // What comes next over the same connection is answered once all of that was read.
    const next = socket.io.socket('/nada');
    await new Promise((refused) => next.once('connect_error', refused));
    links.change(NUMERO, { state: STATES.authenticating });
    await until(() => views.length === 2, 'the next view');
    assert.deepEqual(events, ['session', 'session']);
    assert.deepEqual(links.calls, [`opened ${NUMERO}`]);
  });
});

describe('what the page behind a link may ask', () => {
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const post = (server: LinkServer, name: string, token: string, headers: Record<string, string> = {}) =>
    call(server, `/l/api/${name}`, { method: 'POST', headers: { ...bearer(token), ...headers } });

  test('is a code to type and a new code to scan, for its own session', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO);
    assert.equal((await post(server, 'start', token)).status, 204);
    const paired = await post(server, 'pairing', token);
    assert.equal(paired.status, 200);
    assert.deepEqual(paired.body, links.pairing(NUMERO));
    assert.equal(paired.headers.get('cache-control'), 'no-store');
    assert.deepEqual(links.calls, [`start ${NUMERO}`, `pair ${NUMERO}`]);
  });

  test('is no start that would interrupt something', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    for (const view of [
      { state: STATES.connected, waiting: false },
      { state: STATES.authenticating, waiting: true },
      { state: STATES.authenticating, waiting: false },
      { state: STATES.authenticating, waiting: false, qrCode: '2@propio' },
    ]) {
      const { status, body } = await post(server, 'start', links.issue(NUMERO, view));
      assert.equal(status, 409);
      assert.match(JSON.stringify(body), /No hace falta otro código/);
    }
    assert.deepEqual(links.calls, []);
  });

  test('is nothing without its token, nor after its end, nor for a foreign page', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO);
    for (const wrong of [UNKNOWN, GATEWAY_TOKEN, `${token}x`]) {
      const { status, headers, body } = await post(server, 'pairing', wrong);
      assert.equal(status, 401);
      assert.equal(headers.get('www-authenticate'), 'Bearer');
      assert.deepEqual(body, { statusCode: 401, error: 'Unauthorized', message: NO_USE });
    }
    assert.equal((await post(server, 'pairing', token, { Origin: 'https://evil.example' })).status, 403);
    assert.equal((await post(server, 'pairing', token, { Purpose: 'prefetch' })).status, 403);
    assert.equal((await call(server, `/l/api/pairing?token=${token}`, { method: 'POST' })).status, 401);
    assert.equal((await post(server, 'nada', token)).status, 404);
    links.end(NUMERO, 'linked');
    const { status, body } = await post(server, 'start', token);
    assert.equal(status, 410);
    assert.match(JSON.stringify(body), /Listo: el teléfono quedó vinculado/);
    assert.deepEqual(links.calls, []);
  });

  test('is limited for each session, wherever it comes from', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const [token, other] = [links.issue(NUMERO), links.issue(OTHER)];
    for (let i = 0; i < 20; i += 1) assert.equal((await post(server, 'pairing', token)).status, 200);
    const { status, headers } = await post(server, 'pairing', token);
    assert.equal(status, 429);
    assert.ok(Number(headers.get('retry-after')) > 0);
    assert.equal((await post(server, 'pairing', other)).status, 200);
  });

  test('is refused to a thousand guesses, of which twenty are looked up, but not to an open page', async (t) => {
    const links = new FakeLinks();
    const server = await serveLinks(t, links);
    const token = links.issue(NUMERO);
    await open(t, server, token);
    links.lookups = 0;
    const statuses = new Map<number, number>();
    for (let i = 0; i < 1_000; i += 1) {
      const guess = String(i).padStart(22, 'A');
      const { status } = await post(server, 'pairing', guess);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual(Object.fromEntries(statuses), { 401: 20, 429: 980 });
    assert.match((await refused(t, server, { token: UNKNOWN })).message, /^Demasiados intentos con enlaces/);
    assert.equal(links.lookups, 20);
    assert.equal((await post(server, 'pairing', token)).status, 200);
    await open(t, server, token);
    links.end(NUMERO, 'linked');
    assert.equal((await post(server, 'pairing', token)).status, 410);
  });
});
