import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { keepConnected, type News } from '../../src/server/connection.ts';

const ATTEMPTS = 8;
/** Time runs faster by this. */
const SPEED = 200;

afterEach(() => mock.reset());

/** How long the panel waits after each attempt that fails, in milliseconds. In Node the client has no way to connect. */
async function delays(random: number): Promise<number[]> {
  // Of two mocks of one method, a reset would leave the first.
  mock.reset();
  const { setTimeout } = globalThis;
  const timers: number[] = [];
  mock.method(Math, 'random', () => random);
  mock.method(globalThis, 'setTimeout', (callback: () => void, ms = 0) => {
    timers.push(ms);
    return setTimeout(callback, ms / SPEED);
  });
  const waits: number[] = [];
  await new Promise<void>((resolve) => {
    const server = {
      socketOrigin: 'http://server.example',
      socketPath: '/socket.io/',
      credentials: 'same-origin',
    } as const;
    const tell = (news: News) => {
      assert.deepEqual(news, { type: 'connection', connected: false });
      waits.push(timers.findLast((ms) => ms >= 500 && ms <= 5000) ?? 0);
      if (waits.length < ATTEMPTS) return;
      leave();
      resolve();
    };
    const leave = keepConnected(
      server,
      async () => ({}),
      tell,
      () => assert.fail('nobody pushes'),
    );
  });
  return waits;
}

describe('a server that cannot be reached, or refuses the socket', () => {
  it('is asked less and less often, up to the longest delay', async () => {
    assert.deepEqual(await delays(0.5), [1000, 2000, 4000, 3750, 3750, 3750, 3750, 3750]);
  });

  it('is not asked by all panels at once, however long it fails', async () => {
    const [early, late] = [await delays(0), await delays(0.99)];
    for (const [attempt, delay] of early.entries()) assert.notEqual(delay, late[attempt]);
    for (const delay of [...early, ...late]) assert.ok(delay >= 500 && delay <= 5000, String(delay));
  });
});
