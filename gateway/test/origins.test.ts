import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { describe, type TestContext, test } from 'node:test';
import { PATIENCE } from '../../test/support/patience.ts';
import type { Gateway } from '../src/gateway.ts';
import { refusalOf } from '../src/security/origins.ts';
import { connection, openConnection } from './support/connection.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';
import { headersOf, NO_CALLS, CALLS as SCRIPT_CALLS } from './support/recorded-requests.ts';

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

/** Returns the status of a request with headers that `fetch` would set itself. */
function statusWith(
  { url }: Gateway,
  path: string,
  headers: OutgoingHttpHeaders,
  method = 'GET',
): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers, method }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

/** Returns what a socket of a page of `origin` gets on connecting. */
const connectionOf = (t: TestContext, gateway: Gateway, Origin: string) =>
  connection(t, gateway, {}, '/', { Origin });
/** What a client says of either transport that is refused. */
const REFUSED = 'xhr poll error,websocket error';

/** Returns the id of an Engine.IO connection, as every client without an origin gets it. */
async function handshake(gateway: Gateway): Promise<string> {
  const answer = await fetch(`${gateway.url}/socket.io/?EIO=4&transport=polling`);
  const { sid } = JSON.parse((await answer.text()).slice(1));
  return sid;
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
        message: "No se permiten solicitudes desde 'https://evil.example': no está en --allow-origin.",
      });
      assert.deepEqual(
        gateway.phones.list().map(({ numero, linked }) => [numero, linked]),
        [[NUMERO, true]],
      );
    });
  }

  test('cannot use a name of their own for this machine', async (t) => {
    const gateway = await startGateway(t);
    const host = `evil.example:${new URL(gateway.url).port}`;
    const headers = { Host: host, Origin: `http://${host}` };
    assert.equal(await statusWith(gateway, '/api/session/sessions', headers), 403);
    assert.equal(await statusWith(gateway, '/socket.io/?EIO=4&transport=polling', headers), 403);
  });

  test('learn from the refusal how a proxy of theirs would be admitted', () => {
    const refused = refusalOf(
      { host: 'panel.example', 'sec-fetch-site': 'same-origin' },
      { allowOrigins: [], host: '127.0.0.1' },
    );
    assert.equal(
      refused,
      "No se atienden solicitudes para el servidor 'panel.example': su origen no está en --allow-origin.",
    );
  });

  test('cannot listen', async (t) => {
    const gateway = await startGateway(t);
    assert.equal(await connectionOf(t, gateway, 'https://evil.example'), REFUSED);
    assert.equal(await connectionOf(t, gateway, 'null'), REFUSED);
  });

  test('can use everything if their origin is allowed, with credentials', async (t) => {
    const gateway = await startGateway(t, { allowOrigins: [PORTAL], sessions: SEEDS });
    const statuses: number[] = [];
    for (const { method, path, body } of CALLS) {
      const { status, headers } = await call(gateway, path, { method, body, headers: { Origin: PORTAL } });
      statuses.push(status);
      assert.equal(headers.get('access-control-allow-origin'), PORTAL);
      assert.equal(headers.get('access-control-allow-credentials'), 'true');
      assert.match(headers.get('vary') ?? '', /Origin/);
    }
    // The session is gone after the third call: later ones are answered, not refused.
    assert.deepEqual(statuses, [200, 200, 204, 404, 200, 404]);
    assert.equal(await connectionOf(t, gateway, PORTAL), 'connected');
    assert.equal(await connectionOf(t, gateway, 'https://portal.example.evil.example'), REFUSED);
  });

  test('learn from a preflight which calls they can make', async (t) => {
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

describe("a browser's request", () => {
  const HOST = '127.0.0.1:8080';
  const REACH = { allowOrigins: [PORTAL], host: '127.0.0.1' };
  const OWN = { origin: `http://${HOST}`, isOwn: true };
  const ALLOWED = { origin: PORTAL };
  const FOREIGN = { origin: 'http://localhost:3000' };
  const refusal = (headers: IncomingHttpHeaders) => refusalOf({ host: HOST, ...headers }, REACH);

  for (const recorded of NO_CALLS) {
    test(`that is no call of a script is refused to every page: ${recorded.how}`, () => {
      for (const page of [FOREIGN, ALLOWED, OWN]) {
        assert.match(refusal(headersOf(recorded, page)) ?? '', /./, page.origin);
      }
    });
  }

  for (const recorded of SCRIPT_CALLS) {
    test(`that is a call is answered to allowed pages: ${recorded.how}, ${recorded.browser}`, () => {
      assert.match(refusal(headersOf(recorded, FOREIGN)) ?? '', /./);
      assert.match(refusal({ ...headersOf(recorded, FOREIGN), origin: 'null' }) ?? '', /./);
      assert.equal(refusal(headersOf(recorded, ALLOWED)), undefined);
      assert.equal(refusal(headersOf(recorded, OWN)), undefined);
    });
  }

  test("with GET from the gateway's own page has no Origin", () => {
    const headers = { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };
    assert.equal(refusal({ ...headers, 'sec-fetch-site': 'same-origin' }), undefined);
    for (const site of ['none', 'same-site', 'cross-site']) {
      assert.match(refusal({ ...headers, 'sec-fetch-site': site }) ?? '', /./, site);
    }
  });

  test('for a prefetch is refused by its older headers too', () => {
    for (const headers of [{ purpose: 'prefetch' }, { 'x-purpose': 'preview' }, { 'x-moz': 'prefetch' }]) {
      assert.match(refusal(headers) ?? '', /./);
    }
  });

  test("differs from a program's, which sends few or no such headers", () => {
    assert.equal(refusal({}), undefined);
    assert.equal(refusal({ 'sec-fetch-mode': 'cors' }), undefined);
  });

  test('is refused on every route that changes or reveals something, and changes nothing', async (t) => {
    const gateway = await startGateway(t, { sessions: SEEDS });
    // The connection of the handshake joins no namespace, and would be given up after 20 s.
    gateway.io.connectTimeout(PATIENCE);
    const before = JSON.stringify(gateway.phones.list());
    const sid = await handshake(gateway);
    const [prefetch] = NO_CALLS;
    assert.ok(prefetch);
    const headers = headersOf(prefetch, FOREIGN);
    for (const path of [
      ...CALLS.map(({ path }) => path),
      '/socket.io/?EIO=4&transport=polling',
      `/socket.io/?EIO=4&transport=polling&sid=${sid}`,
    ]) {
      assert.equal(await statusWith(gateway, path, headers), 403, path);
    }
    const webSocket = openConnection(
      gateway,
      `GET /socket.io/?EIO=4&transport=websocket&sid=${sid} HTTP/1.1\r\nHost: 127.0.0.1\r\nSec-Fetch-Site: none\r\nSec-Fetch-Mode: navigate\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    assert.match(String(await webSocket.received), /^HTTP\/1.1 403 /);
    assert.equal(JSON.stringify(gateway.phones.list()), before);
    assert.equal(gateway.io.engine.clientsCount, 1);
  });

  test('is refused as JSONP, which a browser without these headers could run as a script', async (t) => {
    const gateway = await startGateway(t);
    for (const name of ['j', '%6a']) {
      const path = `/socket.io/?EIO=4&transport=polling&${name}=0`;
      assert.equal(await statusWith(gateway, path, {}), 403, path);
    }
    assert.equal(gateway.io.engine.clientsCount, 0);
  });

  test('gets the demo pages', async (t) => {
    const gateway = await startGateway(t);
    const headers = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const path of ['/', '/portal.html']) assert.equal(await statusWith(gateway, path, headers), 200);
  });
});

describe('HEAD', () => {
  test('does nothing where GET changes something', async (t) => {
    const gateway = await startGateway(t, { sessions: SEEDS });
    // The connection of the handshake joins no namespace, and would be given up after 20 s.
    gateway.io.connectTimeout(PATIENCE);
    const before = JSON.stringify(gateway.phones.list());
    const sid = await handshake(gateway);
    for (const [path, status] of [
      ['/api/session/levanta/34600000001', 404],
      [`/api/session/levanta/${NUMERO}`, 404],
      ['/api/session/sessions', 404],
      ['/simulator/phones', 404],
      ['/socket.io/?EIO=4&transport=polling', 405],
      [`/socket.io/?EIO=4&transport=polling&sid=${sid}`, 405],
    ] as const) {
      assert.equal(await statusWith(gateway, path, {}, 'HEAD'), status, path);
    }
    assert.equal(JSON.stringify(gateway.phones.list()), before);
  });

  test('works for pages and their files', async (t) => {
    const gateway = await startGateway(t);
    for (const path of [
      '/',
      '/page.css',
      '/portal.html',
      '/whatsapp-operadores.js',
      '/dist/whatsapp-operadores.js',
    ]) {
      assert.equal(await statusWith(gateway, path, {}, 'HEAD'), 200, path);
    }
  });
});

describe("the gateway's own page", () => {
  test('is admitted under each name of this machine', async (t) => {
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

describe('a gateway that other machines can reach', () => {
  const HOST = { host: '0.0.0.0', token: 'un-token-de-prueba' };
  const TOKEN = { Authorization: `Bearer ${HOST.token}` };

  test('listens on every address of the machine, but without a token only on loopback', async (t) => {
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

  test('admits its own pages under any of its names', async (t) => {
    const gateway = await startGateway(t, HOST);
    for (const host of ['wa.example:8080', '192.168.1.20', '[2001:db8::1]:8080']) {
      const own = { ...TOKEN, Host: host, Origin: `http://${host}` };
      assert.equal(await statusWith(gateway, '/api/session/sessions', own), 200, host);
      const foreign = { ...own, Origin: 'http://evil.example' };
      assert.equal(await statusWith(gateway, '/api/session/sessions', foreign), 403, host);
      assert.equal(await statusWith(gateway, '/socket.io/?EIO=4&transport=polling', foreign), 403, host);
    }
  });

  test('admits only the name that it was given as its host', () => {
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
