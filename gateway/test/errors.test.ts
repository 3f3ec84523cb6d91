import assert from 'node:assert/strict';
import { once } from 'node:events';
import { STATUS_CODES } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { createGateway, type Gateway } from '../src/gateway.ts';
import { openConnection } from './support/connection.ts';
import { call, message, NUMERO } from './support/gateway.ts';

const DISCONNECTED = '34600000001';

const SESSIONS = [
  { numero: NUMERO, state: 'connected' },
  { numero: DISCONNECTED, state: 'disconnected' },
] as const;

type Case = readonly [
  status: number,
  what: string,
  request: { method?: string; path: string; body?: unknown },
  says: string,
];

const LIST = '/api/session/sessions';
const get = (path: string) => ({ path });
const post = (body: unknown) => ({ method: 'POST', path: '/api/message', body });
const raise = (numero: string) => get(`/api/session/levanta/${numero}`);
const to = (...numbers: number[]) => post(message(NUMERO, numbers));
const saying = (text: string) => post(message(NUMERO, [34600000002], text));
const noNumero = (numero: string) => `El número '${numero}' no es válido: debe tener entre 7 y 15 dígitos.`;
const badField = (name: string) => `El campo '${name}' de la solicitud no es válido.`;
const NOTHING = 'No existe lo que se pidió.';
const INVALID = 'La solicitud no es válida.';
const NO_BODY = 'La solicitud necesita un cuerpo en JSON.';

const CASES: readonly Case[] = [
  [
    404,
    'deleting an unknown numero',
    { method: 'DELETE', path: '/api/session/123' },
    'No hay ninguna sesión de 123.',
  ],
  [400, 'a numero without digits', raise('abcdefghij'), noNumero('abcdefghij')],
  [400, 'a numero that is too short', raise('123456'), noNumero('123456')],
  [400, 'a numero that is too long', raise('1234567890123456'), noNumero('1234567890123456')],
  [400, 'a path that is not valid UTF-8', raise('%E0%A4%A'), INVALID],
  [400, 'a list of those that can do something else', get(`${LIST}?able=read`), badField('able')],
  [400, 'a list of those that can, twice', get(`${LIST}?able=send&able=send`), badField('able')],
  [400, 'a list of groups, twice', get(`${LIST}?group=a&group=b`), badField('group')],
  [404, 'an unknown route', get('/api/nada'), NOTHING],
  [404, 'a route with the wrong method', { ...post({}), path: '/api/session/sessions' }, NOTHING],
  [404, 'an unknown page', get('/nada.html'), NOTHING],
  [
    404,
    'a message from an unknown session',
    post(message('99', [34600000002])),
    'No hay ninguna sesión de 99.',
  ],
  [
    409,
    'a message from a session that is not connected',
    post(message(DISCONNECTED, [34600000002])),
    `La sesión de ${DISCONNECTED} no está conectada.`,
  ],
  [
    422,
    'a message to a number without WhatsApp',
    to(1234567890123456),
    'El número 1234567890123456 no tiene WhatsApp.',
  ],
  [
    422,
    'a message to two of them and one other',
    to(1234567890123456, 34600000002, 1234567890123457),
    'Los números 1234567890123456, 1234567890123457 no tienen WhatsApp.',
  ],
  [400, 'a negative number', to(-5), 'El número de destino -5 no es válido.'],
  [400, 'a fraction', to(1.5), 'El número de destino 1.5 no es válido.'],
  [400, 'a number too large to be exact', to(1e300), 'El número de destino 1e+300 no es válido.'],
  [
    400,
    'a number as text',
    post({ ...message(NUMERO, []), mensaje: { cuerpo: 'Hola', contactos: ['34600000002'] } }),
    "El campo 'mensaje/contactos/0' de la solicitud no es válido.",
  ],
  [400, 'no number', to(), 'El mensaje no tiene ningún número de destino.'],
  [
    400,
    'too many numbers',
    to(...Array.from({ length: 101 }, (_, i) => 34600000000 + i)),
    'El mensaje tiene más de 100 números de destino.',
  ],
  [400, 'an empty text', saying('  '), 'El mensaje está vacío.'],
  [400, 'a text that is too long', saying('a'.repeat(65_537)), 'El mensaje tiene más de 65536 caracteres.'],
  [
    400,
    'a message without its text',
    post({ ...message(NUMERO, []), mensaje: { contactos: [1] } }),
    "Falta el campo 'mensaje/cuerpo' en la solicitud.",
  ],
  [400, 'an empty object', post({}), "Falta el campo 'mensaje' en la solicitud."],
  [400, 'an empty body', post(''), NO_BODY],
  [400, 'no body', post(undefined), NO_BODY],
  [400, 'broken JSON', post('{"mensaje":'), INVALID],
  [413, 'a body that is too large', saying('a'.repeat(600_000)), 'La solicitud es demasiado grande.'],
];

describe('every error is JSON with a sentence for the screen', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = createGateway({ port: 0, sessions: SESSIONS });
    await gateway.listen();
  });
  after(() => gateway.close());

  for (const [status, what, { path, ...init }, says] of CASES) {
    test(`${status} for ${what}`, async () => {
      const answer = await call(gateway, path, init);
      const error = STATUS_CODES[status];
      assert.deepEqual(answer.body, { statusCode: status, error, message: says });
      assert.equal(answer.status, status);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    });
  }

  test('415 for a body that is not JSON', async () => {
    const answer = await call(gateway, '/api/message', {
      method: 'POST',
      body: 'hola',
      headers: { 'Content-Type': 'text/plain' },
    });
    assert.deepEqual(answer.body, {
      statusCode: 415,
      error: 'Unsupported Media Type',
      message: 'La solicitud debe ser JSON.',
    });
  });

  const CONNECTIONS: [what: string, sent: string, status: string, says: string][] = [
    ['an invalid request', 'hola\r\n\r\n', '400 Bad Request', 'La solicitud no es válida.'],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'Las cabeceras de la solicitud son demasiado grandes.',
    ],
    [
      'an upgrade where there is none',
      'GET /api/session/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      '400 Bad Request',
      'Aquí no se habla ningún otro protocolo.',
    ],
    [
      'a WebSocket of a foreign page',
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      '403 Forbidden',
      "No se permiten solicitudes desde 'null': no está en --allow-origin.",
    ],
  ];
  for (const [what, sent, status, says] of CONNECTIONS) {
    test(`${status} for ${what}`, async () => {
      const answer = String(await openConnection(gateway, sent).received);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      assert.match(head, new RegExp(`^HTTP/1.1 ${status}\r\n`));
      assert.match(head, new RegExp(`^Content-Length: ${Buffer.byteLength(body)}$`, 'm'));
      const [, statusCode, error] = /^(\d+) (.*)$/.exec(status) ?? [];
      assert.deepEqual(JSON.parse(body), { statusCode: Number(statusCode), error, message: says });
    });
  }

  test('none for a client that is gone during an upgrade request', async () => {
    for (const path of ['/api/session/sessions', '/socket.io/?EIO=4&transport=websocket']) {
      for (const isTaken of [false, true]) {
        const taken = once(gateway.app.server, 'upgrade');
        const { connection, received } = openConnection(
          gateway,
          `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
        if (isTaken) await taken;
        connection.resetAndDestroy();
        await received;
      }
    }
    assert.equal((await call(gateway, '/api/session/sessions')).status, 200);
  });

  test('500 for a bug of ours, without its error message', async (t) => {
    const broken = createGateway({ port: 0, sessions: [] });
    t.after(() => broken.close());
    broken.app.addHook('preHandler', async () => {
      throw new Error('a secret');
    });
    await broken.listen();
    const answer = await call(broken, '/api/session/sessions');
    assert.deepEqual(answer.body, {
      statusCode: 500,
      error: 'Internal Server Error',
      message: 'El servidor no pudo atender la solicitud.',
    });
  });

  test('a message that fails for one number still reaches the others', async () => {
    await call(gateway, '/api/message', post(message(NUMERO, [1234567890123456, 34600000003])));
    assert.equal(gateway.phones.get('34600000003')?.messages.length, 1);
  });

  test('no answer of the API is cacheable, errors included', async () => {
    for (const path of [
      '/api/session/sessions',
      '/api/nada',
      '/api/session/levanta/abc',
      '/simulator/phones',
    ]) {
      assert.equal((await call(gateway, path)).headers.get('cache-control'), 'no-store', path);
    }
  });
});
