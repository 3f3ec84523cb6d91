import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { type Answers, joined, settled, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };

/** A server whose list changes, fails or hangs as a test says. */
function changingList(first: readonly Session[] | 'fails' | 'hangs') {
  let list = first;
  const signals: AbortSignal[] = [];
  const calls: Partial<Answers> = {
    list: (signal) => {
      signals.push(signal);
      if (list === 'fails') return Promise.reject(new Error('Network Error'));
      if (list === 'hangs')
        return new Promise((_resolve, reject) => signal.addEventListener('abort', reject));
      return Promise.resolve([...list]);
    },
  };
  return {
    calls,
    signals,
    set: (now: typeof first) => {
      list = now;
    },
  };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    mock.timers.tick(1000);
    await settled();
  }
}

/** The seconds between the requests. The tests' clock moves by whole ones. */
const between = (moments: readonly number[]) =>
  moments.slice(1).map((moment, index) => (moment - (moments[index] ?? 0)) / 1000);

stopTime();

describe('without a live connection', () => {
  it('the list is requested every 15 to 30 s', async () => {
    const server = changingList([connected]);
    const { store, listener } = await joined([], server.calls);
    listener.connection(false);
    const before = server.signals.length;
    await pass(300);
    const polls = server.signals.length - before;
    assert.ok(polls >= 10 && polls <= 20, `${polls} polls in five minutes`);
    server.set([]);
    await pass(31);
    assert.deepEqual(store.numeros.get(), []);

    listener.connection(true);
    await settled();
    const after = server.signals.length;
    await pass(300);
    assert.equal(server.signals.length, after);
  });

  it('that is so however slow the answers are', async () => {
    const moments: number[] = [];
    const list: Answers['list'] = () => {
      moments.push(Date.now());
      return new Promise((resolve) => setTimeout(resolve, 14_000, [connected]));
    };
    const { listener } = await joined([], { list });
    listener.connection(false);
    await pass(600);
    // Five are left after each answer.
    assert.deepEqual(
      between(moments).filter((seconds) => seconds < 14 + 5 || seconds > 30),
      [],
    );
  });

  it('what may have changed meanwhile postpones no request', async () => {
    const moments: number[] = [];
    const list: Answers['list'] = () => {
      moments.push(Date.now());
      return new Promise(() => {});
    };
    const { listener } = await joined([], { list });
    for (let second = 0; second < 600; second += 1) {
      listener.push({ type: 'ready', numero });
      await pass(1);
    }
    assert.deepEqual(
      between(moments).filter((seconds) => seconds > 30),
      [],
    );
  });

  it('of failures in a row only the first is reported', async () => {
    const server = changingList([connected]);
    const { store, listener } = await joined([], server.calls);
    const errors: string[] = [];
    store.events.add(({ name }) => errors.push(name));
    listener.connection(false);
    server.set('fails');
    await pass(200);
    assert.deepEqual(
      errors.filter((name) => name === 'wo-error'),
      ['wo-error'],
    );
    assert.equal(store.snapshot.get().list, 'ready');
    server.set([connected]);
    await pass(31);
    server.set('fails');
    await pass(100);
    assert.equal(errors.filter((name) => name === 'wo-error').length, 2);
  });

  it('at most two requests hang at a time, and the next list is shown', async () => {
    const server = changingList('hangs');
    const { store, listener } = await joined([], server.calls);
    listener.connection(false);
    await pass(300);
    const hanging = server.signals.filter(({ aborted }) => !aborted);
    assert.ok(hanging.length <= 2, `${hanging.length} hang`);
    server.set([connected]);
    await pass(31);
    assert.deepEqual(store.numeros.get(), [numero]);
    assert.equal(store.snapshot.get().list, 'ready');
  });

  it('nothing is requested once the panel is closed', async () => {
    let answer = (_: string) => {};
    const server = changingList([connected]);
    const start = () => new Promise<string>((resolve) => (answer = resolve));
    const { store, listener } = await joined([], { ...server.calls, start });
    listener.connection(false);
    const started = store.up('5491155550002');
    await settled();
    store.close();
    const before = server.signals.length;
    answer('5491155550002');
    await started;
    await pass(60);
    assert.equal(server.signals.length, before);
  });
});

describe('a missing list', () => {
  it('is requested again, also with a live connection', async () => {
    const server = changingList('fails');
    const { store, listener } = await joined([], server.calls);
    listener.connection(true);
    await settled();
    assert.equal(store.snapshot.get().list, 'failed');
    server.set([connected]);
    await pass(31);
    assert.equal(store.snapshot.get().list, 'ready');
  });

  it("is requested at the operator's wish, and the hanging request is aborted", async () => {
    const server = changingList('hangs');
    const { store } = await joined([], server.calls);
    server.set([connected]);
    await store.fetch();
    assert.deepEqual(
      server.signals.map(({ aborted }) => aborted),
      [true, false],
    );
    assert.equal(store.snapshot.get().list, 'ready');
    assert.deepEqual(store.notices.get(), []);
  });
});

describe('a start that hangs', () => {
  function hanging() {
    const signals: AbortSignal[] = [];
    const start: Answers['start'] = (_numero, signal) => {
      signals.push(signal);
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('Request aborted')));
      });
    };
    return { start, signals };
  }

  it('is aborted and sent again when the operator retries', async () => {
    const { start, signals } = hanging();
    const { store } = await joined([connected], { start });
    void store.up(numero);
    await pass(31);
    assert.equal(store.get(numero)?.status?.condition, 'unanswered');
    void store.up(numero);
    await settled();
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
    assert.equal(store.get(numero)?.status?.condition, 'CONNECTED');
    assert.deepEqual(store.notices.get(), []);
  });
});

describe('calls that hang', () => {
  it('are given up once the connection is lost, so that they do not keep it from coming back; newer ones are not', async () => {
    const other = '5491155550002';
    const start: Answers['start'] = () => new Promise(() => {});
    const list: Answers['list'] = () => new Promise(() => {});
    const { store, listener, notices } = await joined([connected], { start, list });
    const old = store.up(numero);
    await pass(10);
    const ends: string[] = [];
    void store.up(other).then(() => ends.push(other));
    await settled();
    listener.stalled(5_000);
    assert.equal((await old).error?.message, 'Request aborted');
    assert.deepEqual(ends, []);
    assert.equal(store.snapshot.get().list, 'failed');
    assert.deepEqual(notices, ['negative: Request aborted', 'negative: Request aborted']);
  });
});

describe('a clock that is set back', () => {
  it('postpones no flag', async () => {
    const waiting: Session = { numero, state: 'AUTENTICANDO...', waiting: true };
    const other = { ...waiting, numero: '5491155550002' };
    const { store } = await joined([waiting, other], { start: () => new Promise(() => {}) });
    void store.up(numero);
    await settled();
    const { now } = Date;
    mock.method(Date, 'now', () => now() - 3_600_000);
    await pass(95);
    assert.equal(store.get(numero)?.status?.condition, 'unanswered');
    assert.equal(store.get(other.numero)?.status?.condition, 'noCode');
  });

  it('postpones none right after it was set ahead either', async () => {
    const waiting: Session = { numero, state: 'AUTENTICANDO...', waiting: true };
    const { store, listener } = await joined([waiting]);
    await pass(1);
    const { now } = Date;
    let ahead = 3_600_000;
    mock.method(Date, 'now', () => now() + ahead);
    listener.push({ type: 'change_state', numero, state: 'OPENING' });
    ahead = 0;
    await pass(1);
    assert.equal(store.get(numero)?.status?.condition, 'noCode');
  });
});
