import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { Manager } from 'socket.io-client';
import { until } from '../../test/support/until.ts';
import { createGateway, type Gateway } from '../src/gateway.ts';
import type { GatewayOptions } from '../src/gateway-options.ts';
import { createLogger } from '../src/log.ts';
import { Admission } from '../src/security/admission.ts';
import { AccessFile } from './support/access.ts';
import { connection } from './support/connection.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';

const TOKEN = 'un-token-de-prueba';
const PORTAL = 'https://portal.example';
const SEEDS = [{ numero: NUMERO, state: 'connected' }] as const;
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const MISSING = { statusCode: 401, error: 'Unauthorized', message: 'Falta el token de acceso.' };
const WRONG = { statusCode: 401, error: 'Unauthorized', message: 'El token de acceso no es correcto.' };

/** The status of each call with the token. */
const CALLS = [
  { path: '/api/session/sessions', status: 200 },
  { path: '/api/session/levanta/34600000001', status: 200 },
  { method: 'HEAD', path: '/api/session/levanta/34600000002', status: 404 },
  { method: 'POST', path: '/api/message', body: message('99', [34600000002]), status: 404 },
  { method: 'DELETE', path: '/api/session/99', status: 404 },
  { path: '/api/nada', status: 404 },
  { path: '/simulator/phones', status: 200 },
  { method: 'POST', path: `/simulator/phones/${NUMERO}/lose-line`, body: {}, status: 204 },
  { path: '/simulator/nada', status: 404 },
];

function start(t: TestContext, options: GatewayOptions = {}): Promise<Gateway> {
  return startGateway(t, { token: TOKEN, sessions: SEEDS, ...options });
}

describe('a gateway with a token', () => {
  for (const { method = 'GET', path, body, status } of CALLS) {
    test(`requires it for ${method} ${path}`, async (t) => {
      const gateway = await start(t);
      const before = JSON.stringify(gateway.phones.list());
      for (const [headers, answer] of [
        [{}, MISSING],
        [{ Authorization: 'Bearer' }, MISSING],
        [{ Authorization: `Basic ${TOKEN}` }, MISSING],
        [{ Cookie: `token=${TOKEN}` }, MISSING],
        [bearer(`${TOKEN}x`), WRONG],
        [bearer(TOKEN.toUpperCase()), WRONG],
      ] as const) {
        const refused = await call(gateway, path, { method, body, headers });
        assert.equal(refused.status, 401);
        assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
        if (method !== 'HEAD') assert.deepEqual(refused.body, answer);
      }
      assert.equal((await call(gateway, `${path}?token=${TOKEN}`, { method, body })).status, 401);
      assert.equal(JSON.stringify(gateway.phones.list()), before);
      for (const headers of [bearer(TOKEN), { Authorization: `bearer ${TOKEN}` }]) {
        const { status: given } = await call(gateway, path, { method, body, headers });
        assert.ok(given === status || given === 409, `${given}`);
      }
    });
  }

  for (const namespace of ['/', '/simulator', '/made-later']) {
    test(`requires it of sockets in ${namespace}`, async (t) => {
      const gateway = await start(t);
      gateway.io.of('/made-later');
      for (const auth of [{}, { token: '' }, { token: null }, { token: [TOKEN] }, { bearer: TOKEN }]) {
        assert.equal(await connection(t, gateway, auth, namespace), MISSING.message);
      }
      assert.equal(await connection(t, gateway, { token: `${TOKEN}x` }, namespace), WRONG.message);
      assert.equal(gateway.io.of(namespace).sockets.size, 0);
      assert.equal(await connection(t, gateway, { token: TOKEN }, namespace), 'connected');
    });
  }

  test('takes it from the header that a proxy adds, if a socket has none of its own', async (t) => {
    const gateway = await start(t);
    for (const namespace of ['/', '/simulator']) {
      assert.equal(await connection(t, gateway, {}, namespace, bearer(TOKEN)), 'connected');
      assert.equal(await connection(t, gateway, {}, namespace, bearer(`${TOKEN}x`)), WRONG.message);
      assert.equal(await connection(t, gateway, { token: 'x' }, namespace, bearer(TOKEN)), WRONG.message);
    }
    const foreign = { ...bearer(TOKEN), Origin: 'https://evil.example' };
    assert.notEqual(await connection(t, gateway, {}, '/', foreign), 'connected');
  });

  test('tells a client nothing of its own failures, and logs them', async (t) => {
    const lines: string[] = [];
    const logger = createLogger('error', { write: (line) => lines.push(line) });
    const file = new AccessFile([]);
    const gateway = await start(t, { access: file.path, logger });
    const panel = await Listener.connect(t, gateway, '/', { auth: { token: TOKEN }, reconnection: false });
    for (const method of ['admit', 'recognize'] as const) {
      t.mock.method(Admission.prototype, method, () => Promise.reject(new Error('a secret')));
    }
    assert.equal(await connection(t, gateway, { token: TOKEN }), 'El servidor no pudo atender la solicitud.');
    file.write([{ name: 'Ana', may: [] }]);
    gateway.reload();
    await until(() => !panel.socket.connected, 'the end of a connection that cannot be checked');
    for (const line of lines) assert.match(line, /An unexpected error occurred/);
    // Over polling, as a WebSocket, and when the file changed.
    assert.equal(lines.length, 3);
  });

  test('sends nothing to a connection that joins no namespace', async (t) => {
    const gateway = await start(t);
    const listener = await Listener.connect(t, gateway, '/', { auth: { token: TOKEN } });
    const outsider = new Manager(gateway.url, { reconnection: false });
    t.after(() => outsider.engine.close());
    const heard: unknown[] = [];
    await new Promise<void>((opened) => outsider.on('open', opened));
    outsider.engine.on('data', (data) => heard.push(data));
    gateway.phones.phone(NUMERO).logOut();
    await listener.heard(`session:disconnected:${NUMERO}`);
    assert.deepEqual(heard, []);
  });

  test('still refuses pages of other origins', async (t) => {
    const gateway = await start(t);
    const headers = { ...bearer(TOKEN), Origin: 'https://evil.example' };
    assert.equal((await call(gateway, '/api/session/sessions', { headers })).status, 403);
  });

  test('answers preflights of allowed origins, which can then read that the token is missing', async (t) => {
    const gateway = await start(t, { allowOrigins: [PORTAL] });
    const headers = { Origin: PORTAL, 'Access-Control-Request-Method': 'POST' };
    const preflight = await call(gateway, '/api/message', { method: 'OPTIONS', headers });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
    const refused = await call(gateway, '/api/session/sessions', { headers: { Origin: PORTAL } });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get('access-control-allow-origin'), PORTAL);
  });

  test('serves its pages and the bundle to everybody', async (t) => {
    const { url } = await start(t);
    for (const path of ['/', '/portal.html', '/whatsapp-operadores.js', '/phones/main.js']) {
      const page = await fetch(url + path);
      await page.body?.cancel();
      assert.equal(page.status, 200, path);
    }
  });
});

describe('a client with wrong tokens', () => {
  const list = (gateway: Gateway, token: string, from = '198.51.100.1') =>
    call(gateway, '/api/session/sessions', { headers: { ...bearer(token), 'X-Forwarded-For': from } });

  test('has to wait after a few, by HTTP and by socket', async (t) => {
    const gateway = await start(t);
    for (let i = 0; i < 10; i += 1) assert.equal((await list(gateway, `guess-${i}`)).status, 401);
    // Over polling and as a WebSocket.
    for (let i = 10; i < 15; i += 1) {
      assert.equal(await connection(t, gateway, { token: `guess-${i}` }), WRONG.message);
    }
    const { status, headers, body } = await list(gateway, 'one-more-guess');
    assert.equal(status, 429);
    const left = Number(headers.get('retry-after'));
    assert.ok(left > 0 && left <= 600, `${left} s`);
    assert.equal(headers.get('www-authenticate'), null);
    assert.deepEqual(body, {
      statusCode: 429,
      error: 'Too Many Requests',
      message: `Demasiados intentos con tokens que no son correctos: espera ${left} s.`,
    });
    assert.match(await connection(t, gateway, { token: 'one-more-guess' }), /^Demasiados intentos/);
  });

  test('does not lock out others at its address who have the right one', async (t) => {
    const gateway = await start(t);
    const statuses = new Set<number>();
    for (let i = 0; i < 40; i += 1) {
      for (let guess = 0; guess < 5; guess += 1) await list(gateway, `guess-${i}-${guess}`);
      statuses.add((await list(gateway, TOKEN)).status);
    }
    assert.deepEqual([...statuses], [200]);
    assert.equal(await connection(t, gateway, { token: TOKEN }), 'connected');
    assert.equal((await list(gateway, 'guess')).status, 429);
  });

  test('is one client, whatever address its requests claim', async (t) => {
    const gateway = await start(t);
    for (let i = 0; i < 20; i += 1) await list(gateway, `guess-${i}`, `198.51.100.${i}`);
    assert.equal((await list(gateway, 'guess', '198.51.100.99')).status, 429);
  });

  test('is identified by the address that a trusted proxy names, by HTTP and by socket', async (t) => {
    const gateway = await start(t, { trustProxy: ['loopback'] });
    for (let i = 0; i < 18; i += 1) await list(gateway, `guess-${i}`);
    const extraHeaders = { 'X-Forwarded-For': '198.51.100.1' };
    assert.equal(await connection(t, gateway, { token: 'guess' }, '/', extraHeaders), WRONG.message);
    assert.equal((await list(gateway, 'guess')).status, 429);
    assert.match(await connection(t, gateway, { token: 'guess' }, '/', extraHeaders), /^Demasiados intentos/);
    // The proxy appends the address that it sees to what the client claims.
    assert.equal((await list(gateway, 'guess', '198.51.100.2, 198.51.100.1')).status, 429);
    assert.equal((await list(gateway, 'guess', '198.51.100.1, 198.51.100.2')).status, 401);
  });
});

test('a gateway without a token listens on this machine only', () => {
  for (const host of ['0.0.0.0', '::', '::1', '192.168.1.20', 'wa.example']) {
    assert.throws(() => createGateway({ host }), /Without a token/);
  }
});
