import assert from 'node:assert/strict';
import { beforeEach, describe, mock, test } from 'node:test';
import type { WireHistoryEntry } from '../../src/wire.ts';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { until } from '../../test/support/until.ts';
import { type ClockStep, ClockWatch, redated } from '../src/clock.ts';
import type { Registry } from '../src/sessions/registry.ts';
import type { Push } from '../src/sessions/transitions.ts';
import { itemsOf, Listener, NUMERO, startGateway } from './support/gateway.ts';
import { LivingEngine } from './support/living-engine.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import { createRegistry } from './support/registry.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_800_000_000_000;

/** How far the clock was set since the start. */
let shift: number;

/** Replaces time: timers do not depend on the clock. */
function stopTime(): void {
  shift = 0;
  mockTimers(mock, { apis: ['Date', 'setInterval', 'setTimeout'], now: START });
  const now = Date.now.bind(Date);
  mock.method(Date, 'now', () => now() + shift);
}

describe('a watch of the clock', () => {
  let uptime: number;
  let steps: ClockStep[];

  beforeEach((t) => {
    assert.ok('after' in t);
    stopTime();
    t.after(() => mock.reset());
    uptime = 100;
    steps = [];
    const watch = new ClockWatch(
      (step) => steps.push(step),
      () => uptime,
    );
    t.after(() => watch.close());
  });

  /** Lets time pass, and the clock be set by so much in addition. */
  function pass(ms: number, by = 0): void {
    uptime += ms / SECOND;
    // As in a machine that was suspended, the timers come once.
    shift += ms - SECOND + by;
    mock.timers.tick(SECOND);
  }

  test('notices nothing while time passes, however long the machine was suspended', () => {
    for (const ms of [SECOND, 2 * HOUR, 40 * DAY]) pass(ms);
    pass(SECOND, 2 * SECOND);
    assert.deepEqual(steps, []);
  });

  test('tells which moments were wrong, and by how much', () => {
    pass(MINUTE);
    pass(SECOND, 2_000 * DAY);
    pass(MINUTE);
    pass(SECOND, -DAY);
    const set = START + 2_000 * DAY;
    assert.deepEqual(steps, [
      { from: START, to: START + MINUTE + SECOND, by: 2_000 * DAY },
      { from: set, to: set + 2 * MINUTE + 2 * SECOND, by: -DAY },
    ]);
  });

  test('takes a virtual machine that was paused for one that was paused, unless it has just started', () => {
    pass(2 * HOUR);
    pass(SECOND, 8 * HOUR);
    assert.deepEqual(steps, []);
    pass(SECOND, 400 * DAY);
    pass(SECOND, -HOUR);
    assert.deepEqual(
      steps.map(({ by }) => by),
      [400 * DAY, -HOUR],
    );
  });
});

describe('sessions whose clock is set after the start', () => {
  let engine: LivingEngine;
  let sessions: Registry;
  let pushes: Push[];

  beforeEach(async (t) => {
    assert.ok('after' in t);
    stopTime();
    t.after(async () => {
      mock.reset();
      await sessions.close();
    });
    engine = new LivingEngine();
    pushes = [];
    const ledger = new MemoryLedger();
    await ledger.add(NUMERO);
    sessions = createRegistry(engine, ledger, (push) => pushes.push(push));
    await sessions.start(NUMERO);
  });

  const shown = () => sessions.get(NUMERO) ?? assert.fail('it is not listed');

  /** Lets time pass, with what happens in between. */
  async function pass(ms: number): Promise<void> {
    mock.timers.tick(ms);
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Sets the clock. */
  async function set(by: number): Promise<void> {
    const step = { from: START, to: Date.now(), by };
    shift += by;
    const isRedated = sessions.redate(step);
    await pass(20);
    await isRedated;
  }

  async function history(): Promise<WireHistoryEntry[]> {
    const read = sessions.history(NUMERO, 100);
    await pass(20);
    return read;
  }

  for (const by of [2_000 * DAY, -DAY]) {
    test(`by ${by / DAY} days began their states when they did, and have a history in order`, async () => {
      await pass(MINUTE);
      engine.reports.get(NUMERO)?.({ type: 'state', state: 'OPENING' });
      await pass(MINUTE);
      await set(by);
      const { since = 0 } = shown();
      assert.ok(Math.abs(Date.now() - since - MINUTE) < SECOND, `${Date.now() - since} ms`);
      assert.ok(pushes.some((push) => push.event === 'details' && push.change.since === since));
      await pass(MINUTE);
      engine.reports.get(NUMERO)?.({ type: 'ready' });
      const entries = await history();
      assert.deepEqual(
        entries.map(({ event }) => event),
        ['ready', 'change_state', 'ready', 'started'],
      );
      const ages = entries.map(({ at }) => Math.round((Date.now() - at) / MINUTE));
      assert.deepEqual(ages, [0, 2, 3, 3]);
      await pass(2 * SECOND);
      await pass(SECOND);
      const { stability } = shown();
      assert.equal(stability?.drops, 1);
      assert.ok(Math.abs((stability?.away ?? 0) - 2 * MINUTE) < SECOND, `${stability?.away} ms away`);
      assert.ok(Date.now() - (shown().lastSignal ?? 0) < MINUTE);
    });

    test(`by ${by / DAY} days show a code for as long as before`, async () => {
      engine.reports.get(NUMERO)?.({ type: 'qr', code: '2@a', expires: Date.now() + MINUTE });
      await set(by);
      assert.ok(Math.abs((shown().codeExpires ?? 0) - Date.now() - MINUTE) < SECOND);
    });
  }
});

test('a moment from before the start, or of the future, is not corrected', () => {
  const step = { from: START, to: START + MINUTE, by: DAY };
  assert.deepEqual(
    [-1, 0, MINUTE, MINUTE + 1].map((after) => redated(START + after, step) - START),
    [-1, DAY, DAY + MINUTE, MINUTE + 1],
  );
});

test('a gateway corrects what it tells once its clock is set, and has panels connect anew', async (t) => {
  const gateway = await startGateway(t, { sessions: [{ numero: NUMERO, state: 'connected' }] });
  const listener = await Listener.connect(t, gateway);
  const [before] = await itemsOf(gateway);
  const now = Date.now.bind(Date);
  t.mock.method(Date, 'now', () => now() - DAY);
  const isOver = new Promise<void>((resolve) => listener.socket.once('disconnect', () => resolve()));
  const since = await until(async () => {
    const [session] = await itemsOf(gateway);
    return session?.since === before?.since ? undefined : session?.since;
  }, 'the session to be corrected');
  assert.ok(Math.abs(since - (before?.since ?? 0) + DAY) < SECOND);
  await isOver;
});
