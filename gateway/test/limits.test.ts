import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { getHeapStatistics } from 'node:v8';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { TIMINGS } from '../src/engines/whatsapp/timings.ts';
import { answerTimeout } from '../src/http/forward.ts';
import { limitLoad } from '../src/http/limits.ts';
import { createApp } from '../src/http/server.ts';
import { createLogger } from '../src/log.ts';
import { clientAddress } from '../src/security/addresses.ts';
import { ClientWarnings } from '../src/security/client-warnings.ts';
import { message, NUMERO } from './support/gateway.ts';

describe('the address of a client', () => {
  const cases: [ip: string | undefined, client: string][] = [
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['::ffff:c633:6401', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::'],
    ['2001:db8::9', '2001:db8::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::1', '::'],
    ['198.51.100.1:8080', 'unknown'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [ip, client] of cases) {
    test(`${ip} counts as ${client}`, () => {
      assert.equal(clientAddress(ip), client);
    });
  }
});

describe('a process', () => {
  /** Opens a server whose process is seen as these turns of its event loop leave it, and returns what it answers. */
  async function answerAfter(t: TestContext, turns: { long?: number; busy?: number }[], heapUsed = 0) {
    let now = 0;
    let user = 0;
    mockTimers(t.mock, { apis: ['setInterval', 'setTimeout'] });
    t.mock.method(performance, 'now', () => now);
    t.mock.method(process, 'cpuUsage', (since = { user: 0 }) => ({ user: user - since.user, system: 0 }));
    const usage = { ...process.memoryUsage(), heapUsed };
    t.mock.method(process, 'memoryUsage', () => usage);
    const logger = createLogger('silent');
    const app = createApp([], logger, new ClientWarnings(logger));
    t.after(() => app.close());
    limitLoad(app);
    app.get('/', async () => 'here');
    await app.ready();
    for (const { long = 1, busy = 0 } of turns) {
      now += long * 1_000;
      user += busy * 1_000_000;
      // What is late runs once.
      t.mock.timers.tick(1_000);
    }
    const { statusCode, headers, body } = await app.inject('/');
    t.mock.timers.reset();
    return { statusCode, retryAfter: headers['retry-after'], body };
  }

  const turn = { long: 6, busy: 5.1 };

  for (const [what, turns] of [
    ['that has just started, with all that this takes', [{ long: 60, busy: 20 }]],
    ['with a long turn now and then', [turn, turn, {}, turn, turn]],
    ['that the machine has stopped again and again', Array(5).fill({ long: 12 })],
    ['that the machine starves', Array(20).fill({ long: 30, busy: 0.5 })],
    ['whose other threads are busy', Array(20).fill({ busy: 8 })],
    ['that was overloaded', [turn, turn, turn, {}]],
  ] as const) {
    test(`${what} is not overloaded`, async (t) => {
      assert.equal((await answerAfter(t, [...turns])).statusCode, 200);
    });
  }

  for (const [what, turns, heapUsed] of [
    ['kept busy by turn after turn', [turn, turn, turn], 0],
    ['with a heap that is nearly full', [{}], 0.91 * getHeapStatistics().heap_size_limit],
  ] as const) {
    test(`${what} is overloaded, and says when to try again`, async (t) => {
      const { statusCode, retryAfter, body } = await answerAfter(t, [...turns], heapUsed);
      assert.deepEqual([statusCode, retryAfter], [503, '10']);
      assert.match(body, /El servidor está sobrecargado: inténtalo de nuevo en 10 s/);
    });
  }
});

test('a message that another gateway sends has more time than the contacts need, one after the other', () => {
  const contacts = Array.from({ length: 100 }, (_, i) => 34600000000 + i);
  // As long as a session takes at most for one of them, and the pause before the next one.
  assert.ok(answerTimeout(message(NUMERO, contacts)) > contacts.length * (TIMINGS.send + TIMINGS.pause));
  assert.equal(answerTimeout(undefined), 60_000);
  // The other gateway refuses these, and has to have time for it; a timer of more than 2 ** 31 ms would not wait at all.
  assert.equal(answerTimeout(message(NUMERO, [])), 60_000);
  assert.equal(
    answerTimeout(message(NUMERO, Array(40_000).fill(contacts[0]))),
    answerTimeout(message(NUMERO, contacts)),
  );
});
