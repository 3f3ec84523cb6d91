import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { afterEach, describe, it, mock } from 'node:test';
import { Server } from 'socket.io';
import { keepConnected } from '../../src/server/connection.ts';

const ATTEMPTS = 8;
/** Time runs faster by this, for the panel and its server. */
const SPEED = 200;

afterEach(() => mock.reset());

/** How long the panel waits after each attempt at a server that refuses it, in milliseconds. */
async function delays(random: number): Promise<number[]> {
  const http = createServer();
  const io = new Server(http);
  io.use((_socket, next) => next(new Error('refused')));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const address = http.address();
  assert.ok(address instanceof Object);

  const { setTimeout } = globalThis;
  const timers: number[] = [];
  mock.method(Math, 'random', () => random);
  mock.method(globalThis, 'setTimeout', (callback: () => void, ms = 0) => {
    timers.push(ms);
    return setTimeout(callback, ms / SPEED);
  });
  const waits: number[] = [];
  await new Promise<void>((resolve) => {
    const options = {
      origin: `http://127.0.0.1:${address.port}`,
      withCredentials: false,
      auth: async () => ({}),
    };
    const leave = keepConnected(options, {
      connected: () => assert.fail('the server refuses'),
      event: () => assert.fail('the server says nothing'),
      ended() {
        waits.push(timers.findLast((ms) => ms >= 500 && ms <= 5000) ?? 0);
        if (waits.length < ATTEMPTS) return;
        leave();
        resolve();
      },
    });
  });
  await io.close();
  return waits;
}

describe('a server that refuses the socket', () => {
  it('is asked less and less often, up to the longest delay', async () => {
    assert.deepEqual(await delays(0.5), [1000, 2000, 4000, 3750, 3750, 3750, 3750, 3750]);
  });

  it('is not asked by all panels at once, however long it refuses', async () => {
    const [early, late] = [await delays(0), await delays(0.99)];
    for (const [attempt, delay] of early.entries()) assert.notEqual(delay, late[attempt]);
    for (const delay of [...early, ...late]) assert.ok(delay >= 500 && delay <= 5000, String(delay));
  });
});
