import { message } from '../../../gateway/test/support/gateway.ts';
import type { Random } from '../random.ts';

/** The targets of requests without the token. */
export interface Aim {
  /** A linked session. */
  readonly numero: string;
  /** The right token, to be sent in every way but the right one. */
  readonly token: string;
  /** An Engine.IO connection, which needs no token. */
  readonly sid: string;
  readonly host: string;
}

const METHODS = [
  ...['GET', 'GET', 'GET', 'POST', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'TRACE', 'QUERY'],
  ...['PROPFIND', 'M-SEARCH', 'CONNECT', 'PRI', 'get', 'GETT', 'G\0T', '', 'Ω'],
];
const VERSIONS = [
  ...Array<string>(8).fill('HTTP/1.1'),
  ...['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/1.1 x', 'http/1.1', 'HTTP/11', ''],
];
/** Spellings of a path that a proxy may read as another one. */
const DISGUISES: readonly ((path: string, random: Random) => string)[] = [
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace(/\/(?=[^/]*$)/, '%2f'),
  (path) => path.replace('/', '/%2e/'),
  (path) => path.toUpperCase(),
  (path) => path.replace('a', '%61'),
  (path) => path.replace('a', '%2561'),
  (path) => `/./x/..${path}`,
  (path) => `/portal.html/..${path}`,
  (path) => `/dist/..%2f..${path}`,
  (path) => path.replace('/', '/x;/..;/'),
  (path) => path.replace(/^(\/[^/]*)/, '$1;x=1'),
  (path) => `${path};jsessionid=1`,
  (path) => `${path}/`,
  (path) => `${path}?${'x'.repeat(5_000)}`,
  (path) => `${path}#x`,
  (path) => `${path}%00`,
  (path) => `${path}%c0%af`,
  (path) => `${path}%E0%A4%A`,
  (path) => path.replaceAll('/', '\\'),
  (path) => `${path}\t`,
  (path) => `${path} x`,
  (path) => path.slice(1),
  (path) => `http://evil.example${path}`,
  (path) => `http://127.0.0.1${path}`,
  (path) => `https://127.0.0.1:1${path}`,
  (path) => `http://user:password@127.0.0.1${path}`,
  (path) => `file://${path}`,
  (path) => `${path}${'a'.repeat(20_000)}`,
  (path, random) => path.replace(/.$/, String.fromCharCode(random.integer(1, 255))),
  () => '*',
  () => '127.0.0.1:80',
  () => '',
  () => '/',
  () => '/%',
];
const CONTENT_TYPES = [
  ...['application/json', 'application/json', 'application/json; charset=utf-16', 'text/plain', 'text/html'],
  ...['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/json;;', 'x', ''],
];

/** Returns one or several bad requests for one connection, which never carry the token correctly. */
export function badRequest(random: Random, aim: Aim): string {
  const count = random.chance(0.2) ? random.integer(2, 4) : 1;
  const requests = Array.from({ length: count }, () => request(random, aim)).join('');
  // Corrupting must not produce the right token.
  return random.chance(0.1) && !requests.includes(aim.token) ? corrupt(requests, random) : requests;
}

function request(random: Random, aim: Aim): string {
  const [verb, path] = random.pick(targets(aim));
  const method = random.chance(0.6) ? verb : random.pick(METHODS);
  const target = random.chance(0.5) ? path : random.pick(DISGUISES)(path, random);
  const body = random.chance(0.5) ? random.pick(bodies(aim)) : '';
  const lines = [
    `${method} ${target} ${random.pick(VERSIONS)}`,
    ...(random.chance(0.9) ? [`Host: ${aim.host}`] : []),
    ...lengths(body, random),
    ...Array.from({ length: random.integer(0, 4) }, () => random.pick(headers(random, aim))),
  ];
  const separator = random.chance(0.95) ? '\r\n' : random.pick(['\n', '\r', '\r\n ', '\n\r']);
  return `${lines.join(separator)}${separator}${separator}${body}`;
}

function targets({ numero, sid }: Aim): [verb: string, path: string][] {
  return [
    ['GET', '/api/session/sessions'],
    ['GET', '/api/session/levanta/34600000001'],
    ['GET', `/api/session/levanta/${numero}`],
    ['DELETE', `/api/session/${numero}`],
    ['POST', '/api/message'],
    ['GET', '/simulator/phones'],
    ['POST', `/simulator/phones/${numero}/unlink`],
    ['GET', '/api/nada'],
    ['POST', '/l/api/pairing'],
    ['GET', '/cluster/node'],
    ['GET', '/socket.io/?EIO=4&transport=polling'],
    ['GET', '/socket.io/?EIO=4&transport=polling&j=0'],
    ['GET', '/socket.io/?EIO=4&transport=websocket'],
    ['POST', `/socket.io/?EIO=4&transport=polling&sid=${sid}`],
    ['GET', `/socket.io/?EIO=3&transport=polling&sid=${sid}`],
    ['GET', '/gateway/src/cli.ts'],
    ['GET', '/dist/../package.json'],
    ['GET', '/'],
  ];
}

function bodies({ numero, token }: Aim): string[] {
  return [
    JSON.stringify(message(numero, [34600000002])),
    JSON.stringify({ ...message(numero, [34600000002]), token }),
    '{}',
    '{"mensaje":',
    '{"__proto__":{"x":1},"constructor":{"prototype":{}}}',
    '['.repeat(50_000),
    '\0',
    '40{"token":null}',
    '40/simulator,',
    '42["x"]',
    `GET /api/session/levanta/34600000001 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
    `DELETE /api/session/${numero} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  ];
}

/** Body lengths, true or not. */
function lengths(body: string, random: Random): string[] {
  const length = Buffer.byteLength(body, 'latin1');
  if (random.chance(0.6)) return body === '' ? [] : [`Content-Length: ${length}`];
  return random.pick([
    [`Content-Length: ${length}`, `Content-Length: ${length}`],
    [`Content-Length: ${length}`, 'Content-Length: 0'],
    [`Content-Length: ${length}`, 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', `Content-Length: ${length}`],
    ['Transfer-Encoding: chunked'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding:\tchunked'],
    ['Transfer-Encoding: gzip, chunked'],
    ['Content-Length: 0'],
    ['Content-Length: -1'],
    ['Content-Length: +3'],
    ['Content-Length: 0x3'],
    ['Content-Length: 1e1'],
    ['Content-Length: 99999999999999999999'],
    [`Content-Length: ${length}, ${length}`],
  ]);
}

function headers(random: Random, { numero, token, host }: Aim): string[] {
  return [
    'Authorization: Bearer',
    'Authorization: Bearer ',
    'Authorization: Bearer wrong-wrong-wrong',
    `Authorization: Bearer wrong-wrong-wrong\r\nAuthorization: Bearer ${token}`,
    `Authorization: Basic ${Buffer.from(`x:${token}`).toString('base64')}`,
    `Authorization: ${token}`,
    `Authorization: Bearer ${token},x`,
    `Authorization: Bearer x ${token}`,
    `Authorization: Bearer ${token.toUpperCase()}`,
    `Authorization: Bearer ${token}\0`,
    `Proxy-Authorization: Bearer ${token}`,
    `X-Authorization: Bearer ${token}`,
    `Cookie: token=${token}; Authorization=Bearer ${token}`,
    `Token: ${token}`,
    'Host: evil.example',
    `Host: ${host}@evil.example`,
    'Host: ',
    'Host: [::1',
    'Origin: https://evil.example',
    'Origin: null',
    `Origin: http://${host}\r\nOrigin: https://evil.example`,
    `Origin: http://${host}`,
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Site: cross-site',
    'Sec-Purpose: prefetch',
    'X-HTTP-Method-Override: DELETE',
    'X-HTTP-Method: DELETE',
    `X-Original-URL: /api/session/${numero}`,
    `X-Rewrite-URL: /api/session/${numero}`,
    'X-Forwarded-For: 127.0.0.1',
    `X-Forwarded-For: ${'1.2.3.4, '.repeat(500)}`,
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: https',
    'Forwarded: for=127.0.0.1;host=evil.example',
    'Expect: 100-continue',
    'Expect: something',
    'Connection: close',
    'Connection: keep-alive, close, Upgrade',
    'Connection: Authorization, Host',
    'Connection: Upgrade\r\nUpgrade: websocket',
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    `Content-Type: ${random.pick(CONTENT_TYPES)}`,
    `Content-Type: ${random.pick(CONTENT_TYPES)}`,
    'Content-Encoding: gzip',
    'Accept-Encoding: gzip;q=x, \x7f',
    'Access-Control-Request-Method: DELETE',
    'Range: bytes=0-1,2-3,-1',
    'If-Modified-Since: never',
    'If-None-Match: *',
    'Accept: ',
    `X: ${'a'.repeat(random.integer(1, 20_000))}`,
    'X'.repeat(random.integer(1, 3_000)),
    ': x',
    'X : x',
    'X: \0',
    'X: a\r\n b',
    ' X: x',
    'Ω: Ω',
    '__proto__: x',
    'constructor: x',
    'Trailer: Authorization',
  ];
}

/** Changes, omits or doubles a few characters. */
function corrupt(text: string, random: Random): string {
  const characters = [...text];
  for (let times = random.integer(1, 4); times > 0; times -= 1) {
    const at = random.integer(0, characters.length - 1);
    const character = characters[at] ?? '';
    characters[at] = random.pick(['', character + character, String.fromCharCode(random.integer(0, 255))]);
  }
  return characters.join('');
}
