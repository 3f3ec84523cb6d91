import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { type EngineLab, type EngineLabOptions, startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';

async function startLinked(t: TestContext, options?: EngineLabOptions) {
  const lab = await startEngine(t, options);
  await lab.link(NUMERO);
  await until(() => signals(lab) === 1, 'the first signal');
  return lab;
}

/** Returns a function that moves the clock forward. */
function mockClock({ mock }: TestContext): (ms: number) => void {
  let ahead = 0;
  const now = performance.now.bind(performance);
  mock.method(performance, 'now', () => now() + ahead);
  return (ms) => {
    ahead += ms;
  };
}

/**
 * Stops the clock by which the library tells whether WhatsApp has fallen silent: a pause of this process would end
 * connections whose keep-alives are that frequent.
 */
function stopSilence({ mock }: TestContext): void {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
}

function signals(lab: EngineLab): number {
  return lab.signs(NUMERO).filter(({ type }) => type === 'signal').length;
}

/** Resolves once the session has sent two more keep-alives, so that the first of them was answered. */
async function keepAlives({ whatsapp }: EngineLab): Promise<void> {
  const before = whatsapp.keepAlives;
  await until(() => whatsapp.keepAlives >= before + 2, 'two keep-alives');
}

describe('a signal', () => {
  test('is what WhatsApp sends, reported once a minute', async (t) => {
    const advance = mockClock(t);
    const lab = await startLinked(t);
    for (const signs of [1, 2]) {
      for (const text of ['uno', 'dos']) {
        assert.equal(await lab.engine.send(NUMERO, OTHER, text, () => {}), 'sent');
      }
      assert.equal(signals(lab), signs);
      advance(60_000);
    }
  });

  test('is reported once a minute whatever becomes of the connection', async (t) => {
    const lab = await startLinked(t);
    lab.engine.reconnect(NUMERO);
    await lab.last(NUMERO, 'state');
    assert.equal(await lab.engine.send(NUMERO, OTHER, 'Hola', () => {}), 'sent');
    assert.equal(signals(lab), 1);
  });

  test('is not the answer to a keep-alive', async (t) => {
    const advance = mockClock(t);
    stopSilence(t);
    const lab = await startLinked(t, { timings: { keepAlive: 50 } });
    lab.whatsapp.phone(NUMERO).makeZombies();
    // What was sent before that is in order before these.
    await keepAlives(lab);
    const before = signals(lab);
    advance(60_000);
    await keepAlives(lab);
    assert.equal(signals(lab), before);
  });

  test('is reported at once when it answers a probe', async (t) => {
    const lab = await startLinked(t);
    assert.equal(await lab.engine.probe(NUMERO), true);
    assert.equal(signals(lab), 2);
    assert.equal(await lab.engine.send(NUMERO, OTHER, 'Hola', () => {}), 'sent');
    assert.equal(signals(lab), 2);
  });
});

describe('a probe', () => {
  test('has no answer from a dead session, whose keep-alives are answered', async (t) => {
    stopSilence(t);
    const lab = await startLinked(t, { timings: { keepAlive: 50, query: 500 } });
    lab.whatsapp.phone(NUMERO).makeZombies();
    const probe = lab.engine.probe(NUMERO);
    await keepAlives(lab);
    assert.equal(await probe, false);
    assert.equal(signals(lab), 1);
    assert.equal(lab.events(NUMERO).at(-1)?.type, 'ready');
  });

  test('has none without an open connection', async (t) => {
    const lab = await startEngine(t);
    assert.equal(await lab.engine.probe(NUMERO), false);
    await lab.start(NUMERO);
    assert.equal(await lab.engine.probe(NUMERO), false);
    await lab.code(NUMERO);
    assert.equal(await lab.engine.probe(NUMERO), false);
  });

  test('ends with its connection, and leaves no timer', async (t) => {
    const lab = await startLinked(t, { timings: { query: 60_000 } });
    const timers = () => process.getActiveResourcesInfo().filter((type) => type === 'Timeout').length;
    lab.whatsapp.phone(NUMERO).makeZombies();
    const before = timers();
    const probes = [lab.engine.probe(NUMERO), lab.engine.probe(NUMERO)];
    assert.ok(timers() > before);
    await lab.engine.close();
    assert.deepEqual(await Promise.all(probes), [false, false]);
    await until(() => timers() <= before, 'the timers to end');
  });
});

describe('a new connection', () => {
  test('brings a dead session back, and is reported when it is open', async (t) => {
    const lab = await startLinked(t);
    const phone = lab.whatsapp.phone(NUMERO);
    phone.makeZombies();
    const before = lab.events(NUMERO).length;
    lab.engine.reconnect(NUMERO);
    await until(() => lab.events(NUMERO).length > before, 'the connection');
    assert.deepEqual(lab.events(NUMERO).slice(before), [{ type: 'state', state: 'CONNECTED' }]);
    assert.equal(await lab.engine.probe(NUMERO), true);
    assert.equal(await lab.engine.send(NUMERO, OTHER, 'Hola', () => {}), 'sent');
    assert.deepEqual([phone.logins, phone.links, phone.conflicts], [2, 1, 0]);
  });

  test('is not made for a session that is not connected', async (t) => {
    const lab = await startEngine(t);
    lab.engine.reconnect(NUMERO);
    await lab.start(NUMERO);
    await lab.code(NUMERO);
    lab.engine.reconnect(NUMERO);
    lab.engine.reconnect(OTHER);
    await lab.whatsapp.phone(NUMERO).scan(await lab.code(NUMERO));
    await lab.last(NUMERO, 'ready');
    assert.equal(lab.whatsapp.registrations, 1);
    assert.equal(lab.whatsapp.phone(NUMERO).logins, 1);
  });

  for (const [what, end] of Object.entries({
    'a release': (lab) => lab.engine.release(NUMERO),
    'the removal': (lab) => lab.engine.remove(NUMERO),
    'the end of the engine': (lab) => lab.engine.close(),
  } satisfies Record<string, (lab: EngineLab) => Promise<void>>)) {
    test(`is given up for ${what}`, async (t) => {
      const lab = await startLinked(t);
      const before = lab.events(NUMERO).length;
      lab.engine.reconnect(NUMERO);
      lab.engine.reconnect(NUMERO);
      await end(lab);
      await until(() => lab.whatsapp.connections === 0, 'no connection');
      assert.equal(lab.events(NUMERO).length, before);
    });
  }

  test('gives way to a start', async (t) => {
    const lab = await startLinked(t);
    lab.engine.reconnect(NUMERO);
    const before = lab.events(NUMERO).length;
    await lab.start(NUMERO);
    await until(() => lab.events(NUMERO).length > before, 'the connection');
    assert.deepEqual(
      lab
        .events(NUMERO)
        .slice(before)
        .map(({ type }) => type),
      ['ready'],
    );
    assert.equal(lab.whatsapp.phone(NUMERO).logins, 2);
    assert.equal(lab.whatsapp.connections, 1);
  });

  test('needs no code if WhatsApp cannot be reached meanwhile', async (t) => {
    const lab = await startLinked(t);
    await lab.whatsapp.goDown();
    lab.engine.reconnect(NUMERO);
    await until(() => lab.events(NUMERO).at(-1)?.type === 'delayed', 'the delay');
    await lab.whatsapp.comeBack();
    await until(() => lab.events(NUMERO).at(-1)?.type === 'state', 'the connection');
    assert.equal(lab.whatsapp.registrations, 1);
  });
});
