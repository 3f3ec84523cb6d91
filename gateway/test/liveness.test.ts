import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { mockTimers } from '../../test/support/mock-timers.ts';
import type { Report } from '../src/sessions/engine.ts';
import type { Registry } from '../src/sessions/registry.ts';
import type { Push } from '../src/sessions/transitions.ts';
import { LivingEngine } from './support/living-engine.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import { createRegistry } from './support/registry.ts';

const MINUTE = 60_000;
const PROBE = 5 * MINUTE;
const SILENT = 'SIN SEÑAL: WhatsApp no responde';

let engine: LivingEngine;
let ledger: MemoryLedger;
let sessions: Registry;
let pushes: Push[];

beforeEach(() => {
  mockTimers(mock, { apis: ['Date', 'setInterval', 'setTimeout'], now: 1_800_000_000_000 });
  mock.method(performance, 'now', () => Date.now());
  engine = new LivingEngine();
  pushes = [];
  ledger = new MemoryLedger();
  sessions = createRegistry(engine, ledger, (push) => pushes.push(push), undefined, PROBE);
});

afterEach(async () => {
  // What closes waits for a timer of its own.
  mock.reset();
  await sessions.close();
});

const numeroOf = (index: number) => `52155500${String(index).padStart(5, '0')}`;
const NUMERO = numeroOf(0);
const report: Report = (event) => engine.reports.get(NUMERO)?.(event);
const shown = () => sessions.get(NUMERO) ?? assert.fail('it is not listed');

/** Lets time pass, with what happens in between. */
async function pass(ms: number, step = 1_000): Promise<void> {
  for (let passed = 0; passed < ms; passed += step) {
    mock.timers.tick(step);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

describe('a connected session', () => {
  test('is probed once it has been silent for the interval, and tells when WhatsApp answered', async () => {
    await sessions.start(NUMERO);
    const connected = Date.now();
    assert.equal(shown().lastSignal, connected);
    await pass(PROBE - 1_000);
    assert.deepEqual(engine.probed, []);
    await pass(1_000);
    assert.deepEqual(engine.probed, [NUMERO]);
    assert.equal(shown().lastSignal, connected + PROBE);
    await pass(PROBE);
    assert.equal(engine.probed.length, 2);
  });

  test('is not probed while WhatsApp sends something by itself', async () => {
    await sessions.start(NUMERO);
    for (let times = 0; times < 10; times++) {
      await pass(4 * MINUTE);
      report({ type: 'signal' });
    }
    assert.deepEqual(engine.probed, []);
  });

  test('tells panels of signs of life once a minute at most', async () => {
    await sessions.start(NUMERO);
    const mark = pushes.length;
    for (let times = 0; times < 120; times++) {
      await pass(1_000);
      report({ type: 'signal' });
    }
    const told = pushes.slice(mark).filter(({ event }) => event === 'details');
    assert.equal(told.length, 2);
  });

  test('is silent after two probes without an answer, and CONNECTED once WhatsApp answers again', async () => {
    await ledger.add(NUMERO);
    await sessions.start(NUMERO);
    engine.isAlive = false;
    await pass(PROBE);
    assert.equal(shown().state, STATES.connected);
    await pass(PROBE);
    assert.equal(shown().state, SILENT);
    assert.equal(shown().reason?.code, 'silent');
    await assert.rejects(sessions.send(NUMERO, [34600000001], 'Hola'), { name: 'SessionRefused' });
    engine.isAlive = true;
    await pass(PROBE);
    assert.equal(shown().state, STATES.connected);
    assert.equal(shown().reason, undefined);
    const history = await sessions.history(NUMERO, 10);
    assert.deepEqual(
      history.slice(0, 2).map(({ state, code }) => ({ state, code })),
      [
        { state: STATES.connected, code: undefined },
        { state: SILENT, code: 'silent' },
      ],
    );
  });

  test('that is silent is connected anew, and shown as CONNECTED only after an answer', async () => {
    await sessions.start(NUMERO);
    engine.isAlive = false;
    await pass(2 * PROBE);
    assert.deepEqual(engine.reconnected, [NUMERO]);
    report({ type: 'state', state: 'CONNECTED' });
    await pass(1_000);
    assert.equal(shown().state, SILENT);
    engine.isAlive = true;
    report({ type: 'state', state: 'CONNECTED' });
    await pass(1_000);
    assert.equal(shown().state, STATES.connected);
  });

  test('that stays silent is connected anew once per interval, not again and again', async () => {
    await sessions.start(NUMERO);
    engine.isAlive = false;
    engine.reconnect = (numero) => {
      engine.reconnected.push(numero);
      setTimeout(() => report({ type: 'state', state: 'CONNECTED' }), 1_000);
    };
    await pass(4 * PROBE);
    assert.equal(shown().state, SILENT);
    assert.ok(engine.reconnected.length <= 3, `${engine.reconnected.length} times`);
    engine.isAlive = true;
    await pass(PROBE);
    assert.equal(shown().state, STATES.connected);
  });

  test('is not silent by probes without a finding, which are no sign of life either', async () => {
    await sessions.start(NUMERO);
    const connected = Date.now();
    engine.isAlive = undefined;
    await pass(4 * PROBE, 10_000);
    assert.equal(engine.probed.length, 4);
    assert.equal(shown().state, STATES.connected);
    assert.equal(shown().lastSignal, connected);
  });

  test('that somebody starts again is not silent any more', async () => {
    await sessions.start(NUMERO);
    engine.isAlive = false;
    await pass(2 * PROBE);
    await sessions.start(NUMERO);
    assert.equal(shown().state, STATES.connected);
  });

  test('that drops while it is probed keeps its own state', async () => {
    await sessions.start(NUMERO);
    engine.isAlive = false;
    await pass(PROBE);
    report({ type: 'state', state: 'OPENING' });
    await pass(2 * PROBE);
    assert.equal(shown().state, 'OPENING');
    assert.equal(engine.probed.length, 1);
  });
});

test('sessions that connected together are probed evenly', async () => {
  const all = Array.from({ length: 600 }, (_, index) => numeroOf(index));
  for (const numero of all) await sessions.start(numero);
  let most = 0;
  for (let second = 0; second < (3 * PROBE) / 1_000; second++) {
    const before = engine.probed.length;
    await pass(1_000);
    most = Math.max(most, engine.probed.length - before);
  }
  assert.equal(most, 2);
  for (const numero of all) assert.ok(engine.probed.includes(numero));
});

describe('a restricted session', () => {
  test('says until when, and forgets it then', async () => {
    await sessions.start(NUMERO);
    const until = Date.now() + 10 * MINUTE;
    report({ type: 'limited', limit: { until } });
    assert.equal(shown().state, STATES.connected);
    const text = 'Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos.';
    assert.deepEqual(shown().restricted, { text, until });
    await pass(9 * MINUTE, MINUTE);
    assert.ok(shown().restricted);
    await pass(MINUTE, MINUTE);
    assert.equal(shown().restricted, undefined);
    assert.ok(pushes.some((push) => push.event === 'details' && push.change.restricted === null));
  });

  test('stays restricted over a new start, until WhatsApp lifts it', async () => {
    await sessions.start(NUMERO);
    report({ type: 'limited', limit: {} });
    report({ type: 'quota', quota: { used: 97, total: 100 } });
    await sessions.start(NUMERO);
    assert.equal(
      shown().restricted?.text,
      'Restringida por WhatsApp: puede responder, pero no iniciar chats nuevos.',
    );
    assert.deepEqual(shown().quota, { used: 97, total: 100 });
    report({ type: 'limited', limit: undefined });
    assert.equal(shown().restricted, undefined);
  });
});
