import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../test/support/until.ts';
import { createGateway } from '../src/gateway.ts';
import { createLogger } from '../src/log.ts';
import { inline } from './support/built.ts';
import { address, run } from './support/command.ts';
import { connection, openConnection } from './support/connection.ts';
import { call, message, NUMERO, startGateway } from './support/gateway.ts';
import { OTHER, startLab } from './whatsapp/support/lab.ts';

const TOKEN = 'canary-token-0123456789';
const CANARY = /canary/i;
const LINKED = [{ numero: NUMERO, state: 'connected' }] as const;

/** A logger of everything, and what it has written. */
function record() {
  const lines: string[] = [];
  return { lines, logger: createLogger('trace', { write: (line) => lines.push(line) }) };
}

describe('the log never holds', () => {
  test('what a client sends: tokens, cookies, bodies, odd numeros, foreign origins', async (t) => {
    const { lines, logger } = record();
    const other = '34600111222';
    const sessions = [...LINKED, { numero: other, state: 'qr' } as const];
    const gateway = await startGateway(t, { token: TOKEN, logger, sessions, metrics: true });
    const Authorization = `Bearer ${TOKEN}`;
    const headers = { Authorization, Cookie: 'session=canary-cookie', Referer: 'http://canary.example/' };
    const post = (body: unknown, more = {}) => ({ method: 'POST', body, headers: { ...headers, ...more } });
    const sent = message(NUMERO, [34600000002], 'canary-text');

    const link = await call(gateway, `/api/session/${other}/link`, { method: 'POST', headers });
    const token = String(Object(link.body).url).split('#')[1] ?? assert.fail('no link');
    const answers = [
      await call(gateway, '/api/session/sessions?token=canary-query', { headers }),
      await call(gateway, '/api/session/sessions', { headers: { Authorization: 'Bearer canary-wrong' } }),
      await call(gateway, '/api/canary-path?token=canary-query', { headers }),
      await call(gateway, '/healthz?token=canary-query', { headers }),
      await call(gateway, '/readyz/canary-path', { headers }),
      await fetch(`${gateway.url}/metrics?token=canary-query`, { headers }),
      await call(gateway, '/api/session/levanta/canary-numero', { headers }),
      await call(gateway, '/api/session/levanta/%E0%A4%Acanary', { headers }),
      await call(gateway, '/api/session/canary-numero', { method: 'DELETE', headers }),
      await call(gateway, '/api/message', post(sent)),
      await call(gateway, '/api/message', post({ ...sent, remitente: 'canary-sender' })),
      await call(gateway, `/api/session/${NUMERO}/details`, {
        ...post({ label: 'canary-label', group: 'canary-group' }),
        method: 'PUT',
      }),
      await call(gateway, '/api/session/canary-numero/history?before=canary', { headers }),
      link,
      await call(gateway, '/l/api/start', { method: 'POST', headers: { Authorization: `Bearer ${token}` } }),
      await call(gateway, '/l/api/start', {
        method: 'POST',
        headers: { Authorization: 'Bearer canary-link' },
      }),
      await call(gateway, '/api/message', post('{"mensaje": "canary-broken')),
      await call(gateway, '/api/message', post({ canary: 'canary' })),
      await call(gateway, '/api/message', post(sent, { Origin: 'http://canary.example' })),
      await call(gateway, '/api/message', post(sent, { 'Content-Type': 'text/canary' })),
      await call(gateway, `/simulator/phones/${NUMERO}/scan`, post({ code: 'canary-code' })),
      await call(gateway, `/simulator/phones/${NUMERO}/fault`, post({ fault: 'canary-fault' })),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [
        ...[200, 401, 404, 200, 404, 200, 400, 400, 404, 200, 404],
        ...[200, 400, 200, 409, 401],
        ...[400, 400, 403, 415, 409, 400],
      ],
    );
    await openConnection(gateway, 'GET /canary HTTP/1.1\r\nX: canary\r\ncanary\r\n\r\n').received;

    for (const token of [TOKEN, 'canary-wrong', { canary: 1 }]) {
      assert.equal((await connection(t, gateway, { token })) === 'connected', token === TOKEN);
    }
    await gateway.drain();
    const log = lines.join('');
    for (const event of ['Request answered', 'Socket joined', 'Socket refused', 'Message sent', 'Ended.']) {
      assert.ok(log.includes(`"msg":"${event}"`), event);
    }
    assert.doesNotMatch(log, CANARY);
    assert.ok(!log.includes(token));
    // The recipient of the message.
    assert.doesNotMatch(log, /34600000002/);
  });

  test('the codes that the gateway makes', async (t) => {
    const { lines, logger } = record();
    const gateway = await startGateway(t, { logger, speed: 50 });
    await call(gateway, `/api/session/levanta/${NUMERO}`);
    const code = await until(() => gateway.phones.get(NUMERO)?.code, 'a code');
    gateway.phones.phone(NUMERO).scan(code);
    await until(() => lines.some((line) => line.includes('"state":"connected"')), 'the session');
    assert.ok(lines.some((line) => line.includes('"state":"code"')));
    assert.ok(!lines.join('').includes(code.slice(0, 12)));
  });

  test('codes, keys and texts of real sessions', async (t) => {
    const lab = await startLab(t);
    await lab.link();
    const code = lab.listener.pushes.find(([name]) => name === `session:qr:${NUMERO}`)?.[1];
    assert.equal((await lab.send([OTHER], 'canary-text')).status, 200);
    lab.whatsapp.setNoWhatsapp('34600000009');
    assert.equal((await lab.send(['34600000009'], 'canary-text')).status, 422);
    assert.equal((await lab.delete()).status, 204);
    const log = lab.lines.join('');
    assert.match(log, /"reason":"no-whatsapp"/);
    assert.doesNotMatch(log, CANARY);
    assert.doesNotMatch(log, new RegExp(`${OTHER}|34600000009`));
    // Its keys.
    const parts = String(code)
      .split(/[#,@]/)
      .filter((part) => part.length > 20);
    assert.ok(parts.length >= 3, String(code));
    for (const part of parts) assert.ok(!log.includes(part), part);
  });

  test('the message of an error inside', async (t) => {
    const { lines, logger } = record();
    const broken = createGateway({ port: 0, sessions: [], logger });
    t.after(() => broken.close());
    broken.app.addHook('preHandler', async () => {
      throw Object.assign(new Error('canary-error'), { code: 'E_BROKEN' });
    });
    await broken.listen();
    assert.equal((await call(broken, '/api/session/sessions')).status, 500);
    const log = lines.join('');
    assert.match(log, /"type":"Error","code":"E_BROKEN","stack":"\s+at /);
    assert.doesNotMatch(log, CANARY);
  });

  test('the message of an error that ends the process', async (t) => {
    const crash = `process.on('SIGUSR2', () => { throw new RangeError(['can', 'ary'].join('')); });`;
    const gateway = run(t, ['--port', '0', '--token', TOKEN], { imports: inline(crash) });
    await address(gateway);
    gateway.child.kill('SIGUSR2');
    assert.equal(await gateway.ended, 1);
    assert.match(gateway.output.stderr, /"level":"fatal".*"type":"RangeError"/);
    assert.doesNotMatch(gateway.output.stdout + gateway.output.stderr, CANARY);
  });
});

describe('a logger', () => {
  test('takes no message from an error, whoever logs it', () => {
    const { lines, logger } = record();
    const error = new TypeError('canary');
    logger.error(error);
    logger.error(error, error.message);
    logger.error({ err: error });
    logger.error({ err: error }, `failed: ${error.message}`);
    logger.child({ reqId: '1' }).warn({ err: error }, error.message);
    assert.equal(lines.length, 5);
    for (const line of lines) assert.match(line, /"type":"TypeError"/);
    assert.doesNotMatch(lines.join(''), CANARY);
  });

  test('censors fields that hold secrets', () => {
    const { lines, logger } = record();
    logger.info({ token: 'canary', body: { cuerpo: 'canary' }, session: { qrCode: 'canary' } }, 'x');
    logger.info({ database: 'postgres://canary', options: { password: 'canary' } }, 'x');
    logger.info({ req: { url: '/?canary', headers: { cookie: 'canary' } } }, 'x');
    assert.doesNotMatch(lines.join(''), CANARY);
  });
});

describe('the log of a request', () => {
  test('has the id that the answer has', async (t) => {
    const { lines, logger } = record();
    const gateway = await startGateway(t, { logger });
    const { headers } = await call(gateway, '/api/session/sessions?a=b');
    const line = await until(() => lines.find((text) => text.includes('Request answered')), 'the line');
    const { time, level, reqId, ms, ...rest } = JSON.parse(line);
    assert.ok(Number.isInteger(ms));
    assert.match(time, /^\d{4}-/);
    assert.equal(level, 'debug');
    assert.equal(reqId, headers.get('x-request-id'));
    assert.deepEqual(rest, {
      method: 'GET',
      route: '/api/session/sessions',
      status: 200,
      address: '127.0.0.1',
      msg: 'Request answered',
    });
  });
});
