import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { ClockWatch } from '../src/clock.ts';
import { Listener, startGateway } from './support/gateway.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test('a watch of the clock notices how far it is set, and nothing while the machine is suspended', (t) => {
  mockTimers(mock, { apis: ['Date', 'setInterval'], now: 1_800_000_000_000 });
  t.after(() => mock.reset());
  let shift = 0;
  const now = Date.now.bind(Date);
  mock.method(Date, 'now', () => now() + shift);
  let uptime = 100;
  const steps: number[] = [];
  const watch = new ClockWatch(
    (by) => steps.push(by),
    () => uptime,
  );
  t.after(() => watch.close());

  /** Lets time pass, and the clock be set by so much in addition. */
  function pass(ms: number, by = 0): void {
    uptime += ms / SECOND;
    // As in a machine that was suspended, the timers come once.
    shift += ms - SECOND + by;
    mock.timers.tick(SECOND);
  }

  for (const ms of [SECOND, 2 * HOUR, 40 * DAY]) pass(ms);
  pass(SECOND, 2 * SECOND);
  assert.deepEqual(steps, []);
  pass(SECOND, 2_000 * DAY);
  pass(MINUTE, -DAY);
  assert.deepEqual(steps, [2_000 * DAY + 2 * SECOND, -DAY]);
});

test('a gateway has panels connect anew once its clock is set', async (t) => {
  const gateway = await startGateway(t, { sessions: 1 });
  const listener = await Listener.connect(t, gateway);
  const isOver = new Promise<void>((resolve) => listener.socket.once('disconnect', () => resolve()));
  const now = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => now() - DAY);
  await isOver;
});
