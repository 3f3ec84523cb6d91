import assert from 'node:assert/strict';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, test } from 'node:test';
import { io } from 'socket.io-client';
import type { Gateway } from '../../demo/gateway/gateway.ts';
import { refusalOf } from '../../demo/gateway/origins.ts';
import { until } from '../support/until.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';

const PORTAL = 'https://portal.example';
const SEEDS = [{ numero: NUMERO, state: 'connected' }] as const;

/** Every call that a foreign page must not be able to make. */
const CALLS = [
  { method: 'GET', path: '/api/session/sessions' },
  { method: 'GET', path: '/api/session/levanta/34600000001' },
  { method: 'DELETE', path: `/api/session/${NUMERO}` },
  { method: 'POST', path: '/api/message', body: message(NUMERO, [34600000002]) },
  { method: 'GET', path: '/simulator/phones' },
  { method: 'POST', path: `/simulator/phones/${NUMERO}/unlink`, body: {} },
];

/** The status of a request with headers that `fetch` sets itself. */
function statusWith({ url }: Gateway, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** What a socket of a page of `origin` is told when it connects. */
async function connection(t: { after(task: () => void): void }, { url }: Gateway, origin: string) {
  for (const transport of ['polling', 'websocket']) {
    const socket = io(url, {
      forceNew: true,
      reconnection: false,
      transports: [transport],
      extraHeaders: { Origin: origin },
    });
    t.after(() => socket.disconnect());
    let refused = false;
    socket.on('connect_error', () => {
      refused = true;
    });
    await until(() => refused || socket.connected, `an answer over ${transport}`);
    if (refused) return 'refused';
  }
  return 'connected';
}

describe('pages of other origins', () => {
  for (const { method, path, body } of CALLS) {
    test(`cannot ${method} ${path}`, async (t) => {
      const gateway = await startGateway(t, { sessions: SEEDS });
      const {
        status,
        headers,
        body: answer,
      } = await call(gateway, path, {
        method,
        body,
        headers: { Origin: 'https://evil.example' },
      });
      assert.equal(status, 403);
      assert.equal(headers.get('access-control-allow-origin'), null);
      assert.deepEqual(answer, {
        statusCode: 403,
        error: 'Forbidden',
        message: "No se permiten peticiones desde 'https://evil.example'",
      });
      assert.deepEqual(
        gateway.phones.list().map(({ numero, linked }) => [numero, linked]),
        [[NUMERO, true]],
      );
    });
  }

  test('cannot start a session by an image or a link', async (t) => {
    const gateway = await startGateway(t);
    const path = '/api/session/levanta/34600000001';
    for (const site of ['cross-site', 'same-site']) {
      assert.equal(await statusWith(gateway, path, { 'Sec-Fetch-Site': site }), 403, site);
    }
    assert.deepEqual(gateway.phones.list(), []);
    for (const site of ['same-origin', 'none']) {
      assert.equal(await statusWith(gateway, path, { 'Sec-Fetch-Site': site }), 200, site);
    }
  });

  test('cannot hide behind a name of their own for this machine', async (t) => {
    const gateway = await startGateway(t);
    const host = `evil.example:${new URL(gateway.url).port}`;
    const headers = { Host: host, Origin: `http://${host}` };
    assert.equal(await statusWith(gateway, '/api/session/sessions', headers), 403);
    assert.equal(await statusWith(gateway, '/socket.io/?EIO=4&transport=polling', headers), 403);
  });

  test('cannot listen', async (t) => {
    const gateway = await startGateway(t);
    assert.equal(await connection(t, gateway, 'https://evil.example'), 'refused');
    assert.equal(await connection(t, gateway, 'null'), 'refused');
  });

  test('can use everything when their origin is allowed, with credentials', async (t) => {
    const gateway = await startGateway(t, { allowOrigins: [PORTAL], sessions: SEEDS });
    const statuses: number[] = [];
    for (const { method, path, body } of CALLS) {
      const { status, headers } = await call(gateway, path, { method, body, headers: { Origin: PORTAL } });
      statuses.push(status);
      assert.equal(headers.get('access-control-allow-origin'), PORTAL);
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      assert.match(headers.get('vary') ?? '', /Origin/);
    }
    // The session is gone after the third call: what is asked of it then is answered, not refused.
    assert.deepEqual(statuses, [200, 200, 204, 404, 200, 404]);
    assert.equal(await connection(t, gateway, PORTAL), 'connected');
    assert.equal(await connection(t, gateway, 'https://portal.example.evil.example'), 'refused');
  });

  test('are told beforehand which calls they can make', async (t) => {
    const gateway = await startGateway(t, { allowOrigins: [PORTAL] });
    const preflight = (origin: string) =>
      call(gateway, '/api/message', {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowed = await preflight(PORTAL);
    assert.equal(allowed.status, 204);
    assert.equal(allowed.headers.get('access-control-allow-origin'), PORTAL);
    assert.match(allowed.headers.get('access-control-allow-methods') ?? '', /DELETE/);
    assert.match(allowed.headers.get('access-control-allow-headers') ?? '', /Content-Type/);
    assert.equal((await preflight('https://evil.example')).status, 403);
  });
});

describe('the own page', () => {
  test('is let in by each name of this machine', async (t) => {
    const gateway = await startGateway(t);
    const { port } = new URL(gateway.url);
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const headers = { Host: `${host}:${port}`, Origin: `http://${host}:${port}` };
      assert.equal(await statusWith(gateway, '/api/session/sessions', headers), 200, host);
    }
  });

  test('can listen', async (t) => {
    const gateway = await startGateway(t);
    await Listener.connect(t, gateway, '/', { extraHeaders: { Origin: gateway.url } });
  });
});

describe('a gateway that others can reach', () => {
  const HOST = { host: '0.0.0.0', token: 'un-token-de-prueba' };
  const TOKEN = { Authorization: `Bearer ${HOST.token}` };

  test('listens on every address of the machine, and without a token on none but loopback', async (t) => {
    const [address] = Object.values(networkInterfaces())
      .flatMap((all = []) => all)
      .filter(({ family, internal }) => family === 'IPv4' && !internal);
    if (!address) return t.skip('this machine has no other address');
    const reached = async ({ url }: Gateway) =>
      (await fetch(`http://${address.address}:${new URL(url).port}/`)).status;
    const open = await startGateway(t, HOST);
    assert.match(open.url, /^http:\/\/127\.0\.0\.1:/);
    assert.equal(await reached(open), 200);
    const closed = await startGateway(t);
    await assert.rejects(reached(closed));
  });

  test('is known to its own pages by whatever name they found it', async (t) => {
    const gateway = await startGateway(t, HOST);
    for (const host of ['wa.example:8080', '192.168.1.20', '[2001:db8::1]:8080']) {
      const own = { ...TOKEN, Host: host, Origin: `http://${host}` };
      assert.equal(await statusWith(gateway, '/api/session/sessions', own), 200, host);
      const foreign = { ...own, Origin: 'http://evil.example' };
      assert.equal(await statusWith(gateway, '/api/session/sessions', foreign), 403, host);
      assert.equal(await statusWith(gateway, '/socket.io/?EIO=4&transport=polling', foreign), 403, host);
    }
  });

  test('is known by the name that it was given, and no other', () => {
    const refused = (own: string, host: string) =>
      refusalOf({ host, origin: `http://${host}` }, { allowOrigins: [], host: own }) !== undefined;
    for (const [own, host] of [
      ['wa.example', 'wa.example:8080'],
      ['2001:db8::1', '[2001:db8::1]:8080'],
      ['192.168.1.20', '192.168.1.20:8080'],
      ['192.168.1.20', 'localhost:8080'],
    ] as const) {
      assert.equal(refused(own, host), false, host);
      assert.equal(refused(own, `evil.${host}`), true, host);
    }
  });
});
