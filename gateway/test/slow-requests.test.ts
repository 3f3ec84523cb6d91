/** In real time, since the timers are Node's own. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { Gateway } from '../src/gateway.ts';
import { AccessFile, bearer, tokenOf } from './support/access.ts';
import { callLate, openConnection } from './support/connection.ts';
import { call, Listener, message, NUMERO, startGateway } from './support/gateway.ts';

/** How long a request may take to arrive here, in milliseconds, and the delay until a busy machine notices. */
const LIMIT = 2_000;
const TOLERANCE = 15_000;

const SESSIONS = [{ numero: NUMERO, state: 'connected' }] as const;

let gateway: Gateway;

const post = (length: number, more = '') =>
  `POST /api/message HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${more}\r\n`;

/** Resolves once a request that begins now was given up: whatever began before it has met the limit too. */
const pastLimit = () => openConnection(gateway, post(100)).received;

describe('a request', { concurrency: true }, () => {
  before(async () => {
    gateway = await startGateway({ after: () => {} }, { sessions: SESSIONS });
    const { server } = gateway.app;
    assert.deepEqual([server.requestTimeout, server.headersTimeout], [30_000, 30_000]);
    Object.assign(server, { requestTimeout: LIMIT, headersTimeout: LIMIT });
  });
  after(() => gateway.close());

  const TOO_LATE = /^HTTP\/1.1 408 Request Timeout\r\n[\s\S]*La solicitud tardó demasiado en llegar/;
  const requests: [what: string, sent: string, drip?: string, answer?: RegExp][] = [
    ['with a body that stops', `${post(100)}{"mensaje":`],
    ['with a body that drips', post(100_000), ' '],
    [
      'with endless chunks',
      `${post(0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}5\r\n{"men`,
    ],
    ['with headers that stop', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-'],
    ['with headers that drip', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-', 'a'],
    ['that sends nothing', ''],
    // Nothing is written after an answer, which it could become a part of.
    [
      'after one that was answered',
      `HEAD / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${post(100)}`,
      '',
      /^HTTP\/1.1 200 (?!.*HTTP\/1.1 408)/s,
    ],
    [
      'that was refused before its end',
      post(100, 'Origin: null\r\n'),
      '',
      /^HTTP\/1.1 403 (?!.*HTTP\/1.1 408)/s,
    ],
  ];
  for (const [what, sent, drip, expected = TOO_LATE] of requests) {
    test(`${what} is given up at the limit`, async () => {
      const start = performance.now();
      const { connection, received } = openConnection(gateway, sent);
      const dripping = setInterval(() => drip && connection.writable && connection.write(drip), 100);
      const answer = await received;
      clearInterval(dripping);
      const time = performance.now() - start;
      assert.ok(time > LIMIT - 100 && time < LIMIT + TOLERANCE, `${time} ms`);
      assert.match(String(answer), expected);
    });
  }

  test('is answered, however long the answer takes', async () => {
    gateway.phones.setFault(NUMERO, 'slow-delete');
    const deletion = call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });
    await pastLimit();
    gateway.phones.setFault(NUMERO, null);
    assert.equal((await deletion).status, 204);
  });

  test('of the largest size has time on a slow line', async (t) => {
    const patient = await startGateway(t, { sessions: SESSIONS });
    const body = JSON.stringify(message(NUMERO, [34600000002], '€'.repeat(65_536)));
    const { connection, received } = openConnection(
      patient,
      post(Buffer.byteLength(body), 'Connection: close\r\n'),
    );
    const bytes = Buffer.from(body);
    const steps = 10;
    for (let step = 0; step < steps; step += 1) {
      await sleep(100);
      connection.write(bytes.subarray((bytes.length * step) / steps, (bytes.length * (step + 1)) / steps));
    }
    assert.match(String(await received), /^HTTP\/1.1 200 /);
  });

  test('is refused if its user goes, or may do less, before its body is there', async (t) => {
    const [gone, less, same] = ['Luis', 'Ana', 'Eva'].map((name) => ({ name, may: ['send'] }) as const);
    assert.ok(gone && less && same);
    const file = new AccessFile([gone, less, same]);
    const audit = join(temporaryFolder(), 'audit.log');
    const guarded = await startGateway(t, { access: file.path, audit, sessions: SESSIONS });
    const calls: (() => Promise<number>)[] = [];
    for (const { name } of [gone, less, same]) {
      const init = { method: 'POST', body: message(NUMERO, [34600000002]), headers: bearer(tokenOf(name)) };
      calls.push(await callLate(guarded, '/api/message', init));
    }
    file.write([{ ...less, may: ['see'] }, same]);
    guarded.reload();
    assert.deepEqual(await Promise.all(calls.map((finish) => finish())), [401, 403, 200]);
    await guarded.close();
    const refusals = readFileSync(audit, 'utf8').match(/(?<="level":"warn".*"by":")[^"]*/g) ?? [];
    assert.deepEqual(refusals.sort(), ['Ana', 'Luis']);
  });

  for (const transport of ['polling', 'websocket']) {
    test(`has a limit that sockets do not have: they go on listening, by ${transport}`, async (t) => {
      const listener = await Listener.connect(t, gateway, '/', { transports: [transport] });
      let lost = false;
      listener.socket.on('disconnect', () => {
        lost = true;
      });
      await pastLimit();
      assert.equal(lost, false);
      gateway.io.emit(`late ${transport}`);
      await listener.heard(`late ${transport}`);
    });
  }
});
