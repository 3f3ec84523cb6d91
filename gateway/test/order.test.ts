import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import type { Delivery, Engine, Pairing, Report } from '../src/sessions/engine.ts';
import type { Registry } from '../src/sessions/registry.ts';
import { isStatePush, type Push } from '../src/sessions/transitions.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import { plain } from './support/plain.ts';
import { createRegistry } from './support/registry.ts';

const NUMERO = '5215550001111';

/** An engine whose operations end when the test says so. */
class HeldEngine implements Engine {
  readonly log: string[] = [];
  readonly reports: Report[] = [];
  readonly #held: { resolve: () => void; reject: (error: Error) => void }[] = [];

  restore() {}
  close() {}
  async resume() {}
  async release() {}

  start(_numero: string, report: Report): Promise<void> {
    this.reports.push(report);
    return this.#hold('start');
  }

  remove(): Promise<void> {
    return this.#hold('remove');
  }

  async unlink() {}

  async pair(): Promise<Pairing> {
    return { code: 'ABCD1234', expires: Date.now() + 60_000 };
  }

  async send(): Promise<Delivery> {
    return 'sent';
  }

  /** Ends the oldest pending operation; waits for it to begin. */
  async finish(error?: Error): Promise<void> {
    while (this.#held.length === 0) await turn();
    const work = this.#held.shift();
    if (error) work?.reject(error);
    else work?.resolve();
    await turn();
  }

  #hold(name: string): Promise<void> {
    this.log.push(name);
    return new Promise((resolve, reject) => this.#held.push({ resolve, reject }));
  }
}

/** Runs everything that does not wait for the engine. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the order of requests for one numero', () => {
  let engine: HeldEngine;
  let pushes: Push[];
  let sessions: Registry;
  let ledger: MemoryLedger;

  beforeEach(() => {
    engine = new HeldEngine();
    pushes = [];
    ledger = new MemoryLedger();
    sessions = createRegistry(engine, ledger, (push) => pushes.push(push));
  });

  const report = (index: number, ...[event]: Parameters<Report>) => {
    const told = engine.reports[index] ?? assert.fail('the engine was not started');
    told(event);
  };
  const startAndShow = async () => {
    const started = sessions.start(NUMERO);
    await engine.finish();
    await started;
    report(0, { type: 'qr', code: '2@a' });
  };

  test('a second start joins a pending one, until the engine has reported something', async (t) => {
    t.mock.method(performance, 'now', () => 0);
    const first = sessions.start(NUMERO);
    const second = sessions.start(NUMERO);
    await engine.finish();
    await Promise.all([first, second]);
    await sessions.start(NUMERO);
    assert.deepEqual(engine.log, ['start']);

    report(0, { type: 'qr', code: '2@a' });
    const again = sessions.start(NUMERO);
    await engine.finish();
    await again;
    assert.deepEqual(engine.log, ['start', 'start']);
  });

  test('a start that the engine has begun and is silent about is joined for two seconds, and then acts', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: 0 });
    t.mock.method(performance, 'now', () => Date.now());
    const first = sessions.start(NUMERO);
    await engine.finish();
    await first;
    t.mock.timers.tick(1_999);
    await sessions.start(NUMERO);
    assert.deepEqual(engine.log, ['start']);
    t.mock.timers.tick(1);
    const again = sessions.start(NUMERO);
    await engine.finish();
    await again;
    assert.deepEqual(engine.log, ['start', 'start']);
  });

  test('a delete during a start wins', async () => {
    const start = assert.rejects(sessions.start(NUMERO), { reason: 'deleted' });
    await turn();
    const deleted = sessions.delete(NUMERO);
    assert.equal(sessions.list()[0]?.state, STATES.closing);
    await engine.finish();
    await start;
    report(0, { type: 'qr', code: '2@a' });
    await engine.finish();
    await deleted;

    assert.deepEqual(engine.log, ['start', 'remove']);
    assert.deepEqual(sessions.list(), []);
    assert.ok(!pushes.some(({ event }) => event === 'qr'));
  });

  test('a delete overrules a queued start, and the engine never sees it', async () => {
    const start = assert.rejects(sessions.start(NUMERO), { reason: 'deleted' });
    await sessions.delete(NUMERO);
    await start;
    assert.deepEqual(engine.log, []);
    assert.deepEqual(sessions.list(), []);
  });

  test('a delete during a failing start wins as well', async () => {
    const start = assert.rejects(sessions.start(NUMERO), { reason: 'deleted' });
    await turn();
    const deleted = sessions.delete(NUMERO);
    await engine.finish(new Error('no way'));
    await engine.finish();
    await Promise.all([start, deleted]);
    assert.deepEqual(sessions.list(), []);
  });

  test('a start during a delete begins after it', async () => {
    await startAndShow();
    const deleted = sessions.delete(NUMERO);
    const started = sessions.start(NUMERO);
    await turn();
    assert.deepEqual(engine.log, ['start', 'remove']);
    assert.equal(sessions.list()[0]?.state, STATES.closing);

    await engine.finish();
    await deleted;
    await engine.finish();
    await started;
    assert.deepEqual(engine.log, ['start', 'remove', 'start']);
    assert.deepEqual(plain(sessions.list()), [
      { numero: NUMERO, state: STATES.authenticating, waiting: true },
    ]);
  });

  test('two deletes at once remove once', async () => {
    await startAndShow();
    const deletes = [sessions.delete(NUMERO), sessions.delete(NUMERO)];
    await engine.finish();
    await Promise.all(deletes);
    assert.deepEqual(engine.log, ['start', 'remove']);
  });

  test('reports of an earlier start are dropped', async () => {
    await startAndShow();
    const again = sessions.start(NUMERO);
    await engine.finish();
    await again;
    const heard = pushes.length;
    report(0, { type: 'disconnected' });
    assert.equal(sessions.list()[0]?.waiting, true);
    assert.equal(pushes.length, heard);
  });

  test('numeros do not wait for one another', async () => {
    const starts = ['1', '2', '3'].map((numero) => sessions.start(numero));
    await turn();
    assert.deepEqual(engine.log, ['start', 'start', 'start']);
    for (const _ of starts) await engine.finish();
    await Promise.all(starts);
  });

  test('a failed start leaves a stored session that is disconnected and can be started', async () => {
    await ledger.add(NUMERO);
    const failed = assert.rejects(sessions.start(NUMERO), { message: 'no way' });
    await engine.finish(new Error('no way'));
    await failed;
    assert.deepEqual(plain(sessions.list()), [
      { numero: NUMERO, state: STATES.disconnected, waiting: false },
    ]);
    assert.deepEqual(pushes.filter(isStatePush).at(-1), { event: 'disconnected', numero: NUMERO });

    const started = sessions.start(NUMERO);
    await engine.finish();
    await started;
    assert.equal(sessions.list()[0]?.waiting, true);
  });

  test('a code is pushed after its end, and its end is void once the code is', async () => {
    const ends = () =>
      pushes.flatMap((push): (string | number | null)[] => {
        if (push.event === 'qr') return [push.code];
        if (push.event !== 'details' || push.change.codeExpires === undefined) return [];
        return [push.change.codeExpires];
      });
    await startAndShow();
    report(0, { type: 'qr', code: '2@b', expires: 5 });
    report(0, { type: 'qr', code: '2@c', expires: 6 });
    assert.deepEqual(ends(), ['2@a', 5, '2@b', 6, '2@c']);
    assert.equal(sessions.list()[0]?.codeExpires, 6);

    const failed = assert.rejects(sessions.delete(NUMERO));
    assert.ok(!('codeExpires' in (sessions.list()[0] ?? {})));
    await engine.finish(new Error('no way'));
    await failed;
    // The session is as it was.
    assert.deepEqual(ends().slice(5), [null, 6, '2@c']);

    const started = sessions.start(NUMERO);
    await engine.finish();
    await started;
    assert.deepEqual(ends().slice(8), [null]);
    assert.ok(!('codeExpires' in (sessions.list()[0] ?? {})));
  });

  test('a failed delete leaves the session as it was', async () => {
    await startAndShow();
    const failed = assert.rejects(sessions.delete(NUMERO), { message: 'no way' });
    await engine.finish(new Error('no way'));
    await failed;
    assert.deepEqual(plain(sessions.list()), [
      { numero: NUMERO, state: STATES.authenticating, qrCode: '2@a', waiting: false },
    ]);
  });
});
