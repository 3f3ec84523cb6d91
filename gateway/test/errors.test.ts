import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { createGateway, type Gateway } from '../src/gateway.ts';
import { openConnection } from './support/connection.ts';
import { call, message, NUMERO } from './support/gateway.ts';

const DISCONNECTED = '34600000001';

const SESSIONS = [
  { numero: NUMERO, state: 'connected' },
  { numero: DISCONNECTED, state: 'disconnected' },
] as const;

interface Case {
  what: string;
  method?: string;
  path: string;
  body?: unknown;
  status: number;
  error: string;
  says: string;
}

const post = (body: unknown) => ({ method: 'POST', path: '/api/message', body });
const BAD = { status: 400, error: 'Bad Request' };
const MISSING = { status: 404, error: 'Not Found' };

const CASES: Case[] = [
  {
    what: 'deleting an unknown numero',
    method: 'DELETE',
    path: '/api/session/123',
    ...MISSING,
    says: 'No hay ninguna sesión de 123',
  },
  {
    what: 'a numero without digits',
    path: '/api/session/levanta/abcdefghij',
    ...BAD,
    says: "El número 'abcdefghij' no es válido: debe tener entre 7 y 15 dígitos",
  },
  {
    what: 'a numero that is too short',
    path: '/api/session/levanta/123456',
    ...BAD,
    says: "El número '123456' no es válido: debe tener entre 7 y 15 dígitos",
  },
  {
    what: 'a numero that is too long',
    path: '/api/session/levanta/1234567890123456',
    ...BAD,
    says: "El número '1234567890123456' no es válido: debe tener entre 7 y 15 dígitos",
  },
  {
    what: 'a path that is not valid UTF-8',
    path: '/api/session/levanta/%E0%A4%A',
    ...BAD,
    says: 'La solicitud no es válida',
  },
  { what: 'an unknown route', path: '/api/nada', ...MISSING, says: 'No existe lo que se ha pedido' },
  {
    what: 'a route with the wrong method',
    method: 'POST',
    path: '/api/session/sessions',
    body: {},
    ...MISSING,
    says: 'No existe lo que se ha pedido',
  },
  { what: 'an unknown page', path: '/nada.html', ...MISSING, says: 'No existe lo que se ha pedido' },
  {
    what: 'a message from an unknown session',
    ...post(message('99', [34600000002])),
    ...MISSING,
    says: 'No hay ninguna sesión de 99',
  },
  {
    what: 'a message from a session that is not connected',
    ...post(message(DISCONNECTED, [34600000002])),
    status: 409,
    error: 'Conflict',
    says: `La sesión de ${DISCONNECTED} no está conectada`,
  },
  {
    what: 'a message to a number without WhatsApp',
    ...post(message(NUMERO, [1234567890123456])),
    status: 422,
    error: 'Unprocessable Entity',
    says: 'El número 1234567890123456 no tiene WhatsApp',
  },
  {
    what: 'a message to two of them and one other',
    ...post(message(NUMERO, [1234567890123456, 34600000002, 1234567890123457])),
    status: 422,
    error: 'Unprocessable Entity',
    says: 'Los números 1234567890123456, 1234567890123457 no tienen WhatsApp',
  },
  {
    what: 'a negative number',
    ...post(message(NUMERO, [-5])),
    ...BAD,
    says: 'El número de destino -5 no es válido',
  },
  {
    what: 'a fraction',
    ...post(message(NUMERO, [1.5])),
    ...BAD,
    says: 'El número de destino 1.5 no es válido',
  },
  {
    what: 'a number too large to be exact',
    ...post(message(NUMERO, [1e300])),
    ...BAD,
    says: 'El número de destino 1e+300 no es válido',
  },
  {
    what: 'a number as text',
    ...post({ ...message(NUMERO, []), mensaje: { cuerpo: 'Hola', contactos: ['34600000002'] } }),
    ...BAD,
    says: "El campo 'mensaje/contactos/0' de la solicitud no es válido",
  },
  {
    what: 'no number',
    ...post(message(NUMERO, [])),
    ...BAD,
    says: 'El mensaje no tiene ningún número de destino',
  },
  {
    what: 'too many numbers',
    ...post(
      message(
        NUMERO,
        Array.from({ length: 101 }, (_, i) => 34600000000 + i),
      ),
    ),
    ...BAD,
    says: 'El mensaje tiene más de 100 números de destino',
  },
  {
    what: 'an empty text',
    ...post(message(NUMERO, [34600000002], '  ')),
    ...BAD,
    says: 'El mensaje está vacío',
  },
  {
    what: 'a text that is too long',
    ...post(message(NUMERO, [34600000002], 'a'.repeat(65_537))),
    ...BAD,
    says: 'El mensaje tiene más de 65536 caracteres',
  },
  {
    what: 'a message without its text',
    ...post({ ...message(NUMERO, []), mensaje: { contactos: [1] } }),
    ...BAD,
    says: "Falta el campo 'mensaje/cuerpo' en la solicitud",
  },
  { what: 'an empty object', ...post({}), ...BAD, says: "Falta el campo 'mensaje' en la solicitud" },
  { what: 'an empty body', ...post(''), ...BAD, says: 'La solicitud necesita un cuerpo en JSON' },
  { what: 'no body', ...post(undefined), ...BAD, says: 'La solicitud necesita un cuerpo en JSON' },
  { what: 'broken JSON', ...post('{"mensaje":'), ...BAD, says: 'La solicitud no es válida' },
  {
    what: 'a body that is too large',
    ...post(message(NUMERO, [34600000002], 'a'.repeat(600_000))),
    status: 413,
    error: 'Payload Too Large',
    says: 'La solicitud es demasiado grande',
  },
];

describe('every error is JSON with a sentence for the screen', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = createGateway({ port: 0, sessions: SESSIONS });
    await gateway.listen();
  });
  after(() => gateway.close());

  for (const { what, method = 'GET', path, body, status, error, says } of CASES) {
    test(`${status} for ${what}`, async () => {
      const answer = await call(gateway, path, { method, body });
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
      message: 'La solicitud debe ser JSON',
    });
  });

  const CONNECTIONS: [what: string, sent: string, status: string, says: string][] = [
    ['an invalid request', 'hola\r\n\r\n', '400 Bad Request', 'La solicitud no es válida'],
    [
      'headers that are too large',
      `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'Las cabeceras de la solicitud son demasiado grandes',
    ],
    [
      'an upgrade where there is none',
      'GET /api/session/sessions HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
      '400 Bad Request',
      'Aquí no se habla ningún otro protocolo',
    ],
    [
      'a WebSocket of a foreign page',
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      '403 Forbidden',
      "No se permiten solicitudes desde 'null': no está en --allow-origin",
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
      message: 'El servidor no ha podido atender la solicitud',
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
