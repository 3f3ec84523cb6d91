import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { io, Manager, type Socket } from 'socket.io-client';
import { STATES, type WireHistoryEntry, type WireListItem, type WireSentLink } from '../../src/wire.ts';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { until } from '../../test/support/until.ts';
import type { WireLinkOver, WireLinkView } from '../link-page/wire.ts';
import { createGateway, type Gateway } from '../src/gateway.ts';
import type { GatewayOptions } from '../src/gateway-options.ts';
import { createLogger } from '../src/log.ts';
import { LinkDoor } from '../src/security/link-door.ts';
import { linkId, tokenHash } from '../src/sessions/links.ts';
import { callLate } from './support/connection.ts';
import { call, NUMERO } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

const TOKEN = 'un-token-de-prueba';
const OTHER = '34600111222';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const asOperator = bearer(TOKEN);

/** The token of a link, and the address of its page. */
const RIGHT = 'A'.repeat(22);
const CLIENT = '192.0.2.1';
const TEN_MINUTES = 600_000;
const HOUR = 6 * TEN_MINUTES;
const DAY = 24 * HOUR;

interface Route {
  readonly method: string;
  readonly url: string;
}

/** A gateway with a token, a session without a phone and a linked one, and all its routes. */
async function start(
  t: TestContext,
  options: GatewayOptions = {},
): Promise<{ gateway: Gateway; clock: ManualClock; routes: Route[] }> {
  const clock = new ManualClock();
  const gateway = createGateway({
    port: 0,
    token: TOKEN,
    sessions: [
      { numero: NUMERO, state: 'disconnected' },
      { numero: OTHER, state: 'connected' },
    ],
    clock,
    metrics: true,
    ...options,
  });
  t.after(() => gateway.close());
  const routes: Route[] = [];
  gateway.app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
  await gateway.listen();
  return { gateway, clock, routes };
}

async function list(gateway: Gateway): Promise<WireListItem[]> {
  return (await call(gateway, '/api/session/sessions', { headers: asOperator })).body as WireListItem[];
}

const sessionOf = async (gateway: Gateway, wanted: string) =>
  (await list(gateway)).find(({ numero }) => numero === wanted);

/** Creates a link, and returns its token. */
async function createLink(gateway: Gateway, numero = NUMERO): Promise<string> {
  const { status, body } = await call(gateway, `/api/session/${numero}/link`, {
    method: 'POST',
    headers: asOperator,
  });
  assert.equal(status, 200);
  const { url } = body as WireSentLink;
  return new URL(url, `${gateway.url}/api/`).hash.slice(1);
}

interface Page {
  readonly socket: Socket;
  readonly views: WireLinkView[];
  readonly overs: WireLinkOver[];
}

async function open(t: TestContext, { url }: Gateway, token: string): Promise<Page> {
  const socket = io(`${url}/link`, { auth: { token }, forceNew: true, transports: ['websocket'] });
  t.after(() => socket.disconnect());
  const page: Page = { socket, views: [], overs: [] };
  socket.on('session', (view) => page.views.push(view));
  socket.on('over', (over) => page.overs.push(over));
  await until(() => page.views.length > 0, 'the page to show its session');
  return page;
}

const post = (gateway: Gateway, path: string, token: string, body?: unknown) =>
  call(gateway, path, { method: 'POST', headers: bearer(token), body });

describe('a link', () => {
  test('links a phone by a code that is typed on it, and is then over', async (t) => {
    const { gateway, clock } = await start(t);
    const token = await createLink(gateway);
    assert.match(token, /^[\w-]{22}$/);
    const { views, overs } = await open(t, gateway, token);
    assert.equal(views[0]?.numero, NUMERO);
    await until(async () => (await sessionOf(gateway, NUMERO))?.link?.opened, 'the opening to be listed');

    assert.equal((await post(gateway, '/l/api/start', token)).status, 204);
    clock.advance(1_000);
    await until(() => views.at(-1)?.qrCode, 'a code to scan');
    const { body } = await post(gateway, '/l/api/pairing', token);
    const { code } = body as { code: string };
    await until(() => views.at(-1)?.pairing?.code === code, 'the code to type');
    gateway.phones.typeCode(NUMERO, code);
    clock.advance(1_500);
    await until(() => overs.length > 0, 'the end of the link');
    assert.deepEqual(overs, [{ reason: 'linked' }]);
    const { link, state } = (await sessionOf(gateway, NUMERO)) ?? {};
    assert.deepEqual([link, state], [undefined, STATES.connected]);
    const history = await call(gateway, `/api/session/${NUMERO}/history?limit=2`, { headers: asOperator });
    assert.deepEqual(
      (history.body as WireHistoryEntry[]).map(({ event }) => event),
      ['link_used', 'ready'],
    );
    assert.equal((await post(gateway, '/l/api/pairing', token)).status, 410);
  });

  test('is over when it is revoked, replaced, or its session is deleted', async (t) => {
    const { gateway } = await start(t);
    const remove = (path: string) => call(gateway, path, { method: 'DELETE', headers: asOperator });
    const acts = {
      replaced: () => createLink(gateway),
      revoked: () => remove(`/api/session/${NUMERO}/link`),
      deleted: () => remove(`/api/session/${NUMERO}`),
    };
    for (const [reason, act] of Object.entries(acts)) {
      const token = await createLink(gateway);
      const { socket, overs } = await open(t, gateway, token);
      await act();
      await until(() => overs[0]?.reason === reason, `the page to hear that it is ${reason}`);
      await until(() => socket.disconnected, 'the end of the connection');
      const answer = await post(gateway, '/l/api/start', token);
      assert.equal(answer.status, 410, reason);
      if (reason !== 'deleted') continue;
      assert.equal(
        (await call(gateway, `/api/session/levanta/${NUMERO}`, { headers: asOperator })).status,
        200,
      );
      assert.equal((await sessionOf(gateway, NUMERO))?.link, undefined);
      assert.equal((await post(gateway, '/l/api/start', token)).status, 410);
    }
  });

  test('is over for a call whose body comes after its end', async (t) => {
    const { gateway } = await start(t);
    const token = await createLink(gateway);
    const call = { method: 'POST', body: {}, headers: bearer(token) };
    const finish = await callLate(gateway, '/l/api/start', call);
    await createLink(gateway);
    assert.equal(await finish(), 410);
  });

  test('opens nothing but its own session: no route more than without a token, and nothing changes', async (t) => {
    const { gateway, routes } = await start(t);
    const token = await createLink(gateway);
    await post(gateway, '/l/api/pairing', token);
    const before = JSON.stringify([await list(gateway), gateway.phones.list()]);
    const guarded = new Set<string>();
    for (const { method, url } of routes) {
      if (url.startsWith('/l/api') || method === 'OPTIONS') continue;
      for (const numero of [NUMERO, OTHER]) {
        const path = url.replace(':numero', numero).replace('*', 'nada');
        const body = method === 'POST' || method === 'PUT' ? { numero, label: 'x' } : undefined;
        const without = await statusOf(gateway, method, path, {}, body);
        for (const headers of [bearer(token), { Cookie: `token=${token}` }]) {
          const status = await statusOf(gateway, method, path, headers, body);
          const isSame = status === without || (without === 401 && status === 429);
          assert.ok(isSame, `${method} ${path}: ${status}, and ${without} without a token`);
        }
        if (without === 401) guarded.add(`${method} ${url}`);
      }
    }
    for (const route of [
      'GET /api/session/sessions',
      'GET /api/session/levanta/:numero',
      'DELETE /api/session/:numero',
      'POST /api/message',
      'PUT /api/session/:numero/details',
      'GET /api/session/:numero/history',
      'POST /api/session/:numero/unlink',
      'POST /api/session/:numero/pairing',
      'POST /api/session/:numero/link',
      'DELETE /api/session/:numero/link',
      'GET /simulator/phones',
      'POST /simulator/phones/:numero/unlink',
      'GET /metrics',
    ]) {
      assert.ok(guarded.has(route), `${route} is guarded`);
    }
    assert.equal(JSON.stringify([await list(gateway), gateway.phones.list()]), before);
  });

  test('opens no other namespace, not even over the connection that it has', async (t) => {
    const { gateway } = await start(t);
    const token = await createLink(gateway);
    const manager = new Manager(gateway.url, { reconnection: false, transports: ['websocket'] });
    t.after(() => manager.engine.close());
    const own = manager.socket('/link', { auth: { token } });
    await until(() => own.connected, 'its own namespace');
    for (const namespace of ['/', '/simulator', '/nada']) {
      let refusal: string | undefined;
      const heard: string[] = [];
      const socket = manager.socket(namespace, { auth: { token } });
      socket.onAny((name) => heard.push(name));
      socket.on('connect_error', ({ message }) => {
        refusal = message;
      });
      await until(() => refusal, `a refusal of ${namespace}`);
      assert.match(refusal ?? '', /El token de acceso no es correcto|Invalid namespace/);
      assert.deepEqual(heard, []);
    }
    assert.ok(own.connected);
  });

  test('asks for its own session alone, whatever numero its page names', async (t) => {
    const { gateway, clock } = await start(t);
    const token = await createLink(gateway);
    const before = JSON.stringify(await sessionOf(gateway, OTHER));
    const { views } = await open(t, gateway, token);
    const started = await post(gateway, `/l/api/start?numero=${OTHER}`, token, {
      numero: OTHER,
      remitente: OTHER,
    });
    assert.equal(started.status, 204);
    clock.advance(1_000);
    await until(() => views.at(-1)?.qrCode, 'its own code');
    assert.equal(JSON.stringify(await sessionOf(gateway, OTHER)), before);
    for (const path of [
      `/l/api/session/${OTHER}/pairing`,
      `/l/api/pairing/${OTHER}`,
      '/l/api/session/sessions',
    ]) {
      assert.equal((await post(gateway, path, token)).status, 404);
    }
  });

  test('leaves its token in no log and in no answer but the operator’s', async (t) => {
    const lines: string[] = [];
    const logger = createLogger('trace', { write: (line) => lines.push(line) });
    const { gateway } = await start(t, { logger });
    const token = await createLink(gateway);
    const { overs } = await open(t, gateway, token);
    await post(gateway, '/l/api/start', token);
    await post(gateway, '/l/api/pairing', `${token.slice(0, -1)}_`);
    await call(gateway, `/api/session/${NUMERO}/link`, { method: 'DELETE', headers: asOperator });
    await until(() => overs.length > 0, 'the end of the link');
    const { body } = await call(gateway, `/api/session/${NUMERO}/history?limit=50`, { headers: asOperator });
    assert.ok(lines.some((line) => line.includes('/l/api/start')));
    assert.doesNotMatch(
      lines.join('') + JSON.stringify([body, await list(gateway)]),
      new RegExp(token.slice(0, 20)),
    );
  });

  test('works at the public URL, whose origin is the gateway’s own', async (t) => {
    const { gateway } = await start(t, { publicUrl: 'https://whatsapp.example/operadores' });
    const created = await call(gateway, `/api/session/${NUMERO}/link`, {
      method: 'POST',
      headers: asOperator,
    });
    const { url } = created.body as WireSentLink;
    assert.match(url, /^https:\/\/whatsapp\.example\/operadores\/l\/#[\w-]{22}$/);
    const headers = { ...bearer(new URL(url).hash.slice(1)), Origin: 'https://whatsapp.example' };
    assert.equal((await call(gateway, '/l/api/start', { method: 'POST', headers })).status, 204);
  });

  test('shows the label before the account’s name', async (t) => {
    const { gateway } = await start(t);
    const { views } = await open(t, gateway, await createLink(gateway));
    await call(gateway, `/api/session/${NUMERO}/details`, {
      method: 'PUT',
      headers: asOperator,
      body: { label: 'Ventas Norte', group: 'Secreto' },
    });
    await until(() => views.at(-1)?.name === 'Ventas Norte', 'the label');
    assert.doesNotMatch(JSON.stringify(views), /Secreto/);
  });
});

describe('the end of a link', () => {
  const session = (changes: Partial<WireListItem>): WireListItem => ({
    numero: NUMERO,
    state: STATES.disconnected,
    waiting: false,
    ...changes,
  });

  const id = linkId(tokenHash(RIGHT));

  /** A door whose only link leads to the listed session. */
  const doorOf = (listed: () => WireListItem | undefined) =>
    new LinkDoor({
      get: listed,
      linked: async (hash) => (hash === tokenHash(RIGHT) && listed()?.link ? NUMERO : undefined),
      linkOpened: async () => {},
      pairing: () => undefined,
      pair: () => Promise.reject(new Error('Nobody asks')),
      passkeyChallenge: () => Promise.reject(new Error('Nobody asks')),
      passkey: () => Promise.reject(new Error('Nobody asks')),
      start: () => Promise.reject(new Error('Nobody asks')),
    });

  test('has its cause: time, a phone, another link, an operator, and deletion', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const expires = Date.now() + 60_000;
    for (const [link, after, end] of [
      [{ id, expires: Date.now() + 900 }, session({}), 'expired'],
      [{ id, expires }, session({ state: STATES.connected }), 'linked'],
      [{ id, expires }, session({ link: { id: 'another', expires } }), 'replaced'],
      [{ id, expires }, session({}), 'revoked'],
      [{ id, expires }, undefined, 'deleted'],
      [{ id, expires }, session({ link: { id, expires, opened: 1 } }), undefined],
    ] as const) {
      let listed: WireListItem | undefined = session({ link });
      const door = doorOf(() => listed);
      const ends: string[] = [];
      door.on('ended', (_numero, reason) => ends.push(reason));
      assert.equal(await door.enter(RIGHT, CLIENT), NUMERO);
      listed = after;
      // Twice: the end is told once.
      door.heard(NUMERO);
      door.heard(NUMERO);
      assert.deepEqual(ends, end === undefined ? [] : [end]);
    }
  });

  test('is not that of the link before, which the list still has', async () => {
    const expires = Date.now() + 60_000;
    let listed = session({ link: { id: 'before', expires } });
    const door = doorOf(() => listed);
    const ends: string[] = [];
    door.on('ended', (_numero, reason) => ends.push(reason));
    assert.equal(Object(await door.enter(RIGHT, CLIENT)).status, 401);
    listed = session({ link: { id, expires } });
    door.heard(NUMERO);
    assert.equal(await door.enter(RIGHT, CLIENT), NUMERO);
    assert.deepEqual(ends, []);
  });

  test('is remembered for ten minutes, however long the link was valid', async (t) => {
    mockTimers(t.mock, { apis: ['Date', 'setTimeout'], now: Date.now() });
    t.mock.method(performance, 'now', () => Date.now());
    let listed = session({ link: { id, expires: Date.now() + DAY } });
    const door = doorOf(() => listed);
    assert.equal(await door.enter(RIGHT, CLIENT), NUMERO);
    t.mock.timers.tick(DAY - HOUR);
    // What others at its address do keeps out only pages that were never open.
    for (let tries = 0; tries < 30; tries += 1) await door.enter('B'.repeat(22), CLIENT);
    assert.equal(await door.enter(RIGHT, CLIENT), NUMERO);
    t.mock.timers.tick(HOUR / 2);
    listed = session({ state: STATES.connected });
    door.heard(NUMERO);
    t.mock.timers.tick(TEN_MINUTES - 1_000);
    assert.equal(Object(await door.enter(RIGHT, CLIENT)).over, 'linked');
    t.mock.timers.tick(1_001);
    assert.equal(Object(await door.enter(RIGHT, CLIENT)).over, undefined);
  });
});

async function statusOf(
  { url }: Gateway,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<number> {
  const response = await fetch(url + path, {
    method,
    headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
  });
  await response.body?.cancel();
  return response.status;
}
