import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireListItem } from '../../src/wire.ts';
import { createLogger } from '../src/log.ts';
import type { Delivery, Engine, Pairing, Report } from '../src/sessions/engine.ts';
import { wordsOf } from '../src/sessions/reasons.ts';
import { stateLog } from '../src/sessions/session-log.ts';
import { isStatePush, type Push } from '../src/sessions/transitions.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import { plain } from './support/plain.ts';
import { createRegistry } from './support/registry.ts';

const LINKED = '5215550001111';
const CODE = '5215550002222';
const STOPPED = '5215550003333';

/** An engine that knows which numeros are linked, and connects them when the test says so. */
class LinkedEngine implements Engine {
  readonly reports = new Map<string, Report>();
  readonly released: string[] = [];
  /** Whether it reports only once it has resumed all. */
  isLate = false;

  restore() {}
  close() {}
  async start() {}
  async remove() {}

  async resume(numeros: readonly string[], begin: (numero: string) => Report): Promise<void> {
    for (const numero of numeros) {
      const report = begin(numero);
      this.reports.set(numero, report);
      if (numero !== LINKED && !this.isLate) report({ type: 'disconnected' });
    }
  }

  async release(numero: string): Promise<void> {
    this.released.push(numero);
  }

  async unlink() {}

  async pair(): Promise<Pairing> {
    return { code: 'ABCD1234', expires: Date.now() + 60_000 };
  }

  async send(): Promise<Delivery> {
    return 'sent';
  }
}

async function adopt(...sessions: WireListItem[]) {
  return adoptWith(new LinkedEngine(), sessions);
}

async function adoptWith(engine: LinkedEngine, sessions: readonly WireListItem[]) {
  const pushes: Push[] = [];
  const archive = new MemoryLedger();
  await archive.addAll(sessions.map(({ numero }) => numero));
  const lines: { state?: string }[] = [];
  const logState = stateLog(createLogger('info', { write: (line) => lines.push(JSON.parse(line)) }));
  const manager = createRegistry(engine, archive, (push) => pushes.push(push), logState);
  await manager.restore();
  await manager.adopt(sessions);
  return { engine, pushes, manager, archive, logged: () => lines.map(({ state }) => state) };
}

describe('a session that is taken over', () => {
  test('is reconnected if it is linked; until then messages are refused for a while', async () => {
    const { engine, pushes, manager } = await adopt({
      numero: LINKED,
      state: STATES.connected,
      waiting: false,
    });
    assert.deepEqual(plain(manager.list()), [
      { numero: LINKED, state: STATES.authenticating, waiting: true },
    ]);
    assert.deepEqual(pushes.filter(isStatePush), [
      { event: 'change_state', numero: LINKED, state: STATES.authenticating },
    ]);
    await assert.rejects(manager.send(LINKED, [34600000001], 'Hola'), { reason: 'moving' });
    engine.reports.get(LINKED)?.({ type: 'ready' });
    await manager.send(LINKED, [34600000001], 'Hola');
  });

  test('is disconnected if it showed a code, and shows none', async () => {
    const { pushes, manager } = await adopt({
      numero: CODE,
      state: STATES.authenticating,
      qrCode: '2@a',
      waiting: false,
    });
    assert.deepEqual(plain(manager.list()), [{ numero: CODE, state: STATES.disconnected, waiting: false }]);
    assert.deepEqual(pushes.filter(isStatePush), [{ event: 'disconnected', numero: CODE }]);
  });

  for (const isLate of [false, true]) {
    test(`keeps why it is disconnected, whenever the engine reports it${isLate ? ': later' : ''}`, async () => {
      const reason = { code: 'logged-out', text: 'El teléfono cerró la sesión' };
      const left = { numero: CODE, state: STATES.disconnected, waiting: false, since: 1, by: 'Ana', reason };
      const engine = new LinkedEngine();
      engine.isLate = isLate;
      const { pushes, manager } = await adoptWith(engine, [left]);
      if (isLate) engine.reports.get(CODE)?.({ type: 'disconnected' });
      assert.deepEqual(manager.list(), [left]);
      const [last, ...earlier] = await manager.history(CODE, 10);
      assert.deepEqual([last?.event, earlier], ['moved', []]);
      // Nobody sees the session without its reason.
      const [end] = pushes
        .filter(({ event }) => event === 'disconnected')
        .map((push) => pushes.indexOf(push));
      const told = pushes.findIndex((push) => push.event === 'details' && push.change.reason);
      assert.ok(told >= 0 && told < (end ?? -1), JSON.stringify(pushes));
    });
  }

  test('stays as it is if it ended for a reason: nobody logs it in unasked', async () => {
    const state = wordsOf({ reason: 'replaced' }).state;
    const { engine, pushes, manager } = await adopt({ numero: STOPPED, state, waiting: false });
    assert.deepEqual(plain(manager.list()), [{ numero: STOPPED, state, waiting: false }]);
    assert.deepEqual(pushes, []);
    assert.equal(engine.reports.size, 0);
  });
});

describe('a session that is given up', () => {
  test('has its state logged again once it is taken back', async () => {
    const session = { numero: LINKED, state: STATES.connected, waiting: false };
    const { manager, logged } = await adopt(session);
    await manager.abandon(LINKED);
    await manager.adopt([session]);
    assert.deepEqual(logged(), ['waiting', 'waiting']);
  });

  test('is not, unless it is idle', async () => {
    const { engine, manager } = await adopt({ numero: LINKED, state: STATES.connected, waiting: false });
    const session = manager.find(LINKED) ?? assert.fail();
    assert.equal(await manager.release(session, assert.fail), false);
    engine.reports.get(LINKED)?.({ type: 'ready' });
    assert.deepEqual(manager.idle, [session]);
  });

  test('is free once its line is closed and its history written; calls that cross are refused', async () => {
    const { engine, manager, archive } = await adopt({
      numero: LINKED,
      state: STATES.connected,
      waiting: false,
    });
    engine.reports.get(LINKED)?.({ type: 'ready' });
    const released = manager.release(manager.find(LINKED) ?? assert.fail(), async () => {
      assert.deepEqual(engine.released, [LINKED]);
      assert.equal((await archive.history(LINKED, 1))[0]?.event, 'ready');
      const moving = { reason: 'moving' };
      await assert.rejects(manager.start(LINKED), moving);
      await assert.rejects(manager.delete(LINKED), moving);
      await assert.rejects(manager.send(LINKED, [34600000001], 'Hola'), moving);
    });
    assert.equal(await released, true);
    assert.deepEqual(manager.list(), []);
  });
});
