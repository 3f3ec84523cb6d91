import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { mockTimers } from '../../../test/support/mock-timers.ts';
import { RemoteError } from '../../src/engines/remote/errors.ts';
import type { Code } from '../../src/engines/remote/server.ts';
import type { RemoteSession } from '../../src/engines/remote/session.ts';
import { NotPairable } from '../../src/sessions/errors.ts';
import { NUMERO, session } from './session-lab.ts';

const FAILURE = new RemoteError('failed', 'The server', '500');

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a code', () => {
  test('that comes after something newer was heard is not shown', async () => {
    let answer = (_code: Code) => {};
    const { session: remote, events } = session({
      code: () => new Promise((resolve) => (answer = resolve)),
    });
    remote.onStatus('scanning');
    remote.onStatus('connected');
    answer({ code: 'stale' });
    await settled();
    assert.deepEqual(
      events.map(({ type }) => type),
      ['authenticated', 'ready'],
    );
  });

  test('is asked for once until it comes, and again if something was heard meanwhile', async () => {
    const answers: ((code: Code) => void)[] = [];
    const { session: remote, events } = session({
      code: () => new Promise((resolve) => answers.push(resolve)),
    });
    for (let times = 0; times < 100; times++) remote.onStatus('scanning');
    assert.equal(answers.length, 1);
    answers[0]?.({ code: 'stale' });
    await settled();
    assert.equal(answers.length, 2);
    answers[1]?.({ code: 'fresh' });
    await settled();
    assert.deepEqual(events.at(-1), { type: 'qr', code: 'fresh' });
    assert.equal(answers.length, 2);
  });

  test('that the server does not have yet, or does not give, is asked for again', async (t) => {
    t.after(() => mock.timers.reset());
    let asked = 0;
    const { session: remote, events } = session({
      async code() {
        asked += 1;
        if (asked === 1) return undefined;
        if (asked === 2) throw FAILURE;
        return { code: 'fresh' };
      },
    });
    mockTimers(mock, { apis: ['setTimeout'] });
    remote.onStatus('scanning');
    for (const times of [1, 2, 3]) {
      await settled();
      assert.equal(asked, times);
      mock.timers.tick(2_000);
    }
    assert.deepEqual(events, [{ type: 'qr', code: 'fresh' }]);
  });
});

test('a code to compare that the server does not have is asked for during two minutes', async (t) => {
  t.after(() => mock.timers.reset());
  let asked = 0;
  const never = () => Promise.reject(new Error('Nobody asks'));
  const passkeys = {
    challenge: never,
    sign: never,
    confirm: never,
    confirmation: async () => {
      asked += 1;
      return undefined;
    },
  };
  const { session: remote, events } = session({ passkeys });
  mockTimers(mock, { apis: ['setTimeout'] });
  remote.onStatus('confirm');
  for (let seconds = 0; seconds < 200; seconds += 2) {
    await settled();
    mock.timers.tick(2_000);
  }
  assert.equal(asked, 61);
  assert.deepEqual(events, [{ type: 'passkey', passkey: { step: 'wait' } }]);
});

describe('the end of a code', () => {
  test('is told where its server tells it', () => {
    const { session: remote, events } = session();
    remote.onCode({ code: 'one', expires: 5 });
    remote.onCode({ code: 'other' });
    assert.deepEqual(events, [
      { type: 'qr', code: 'one', expires: 5 },
      { type: 'qr', code: 'other' },
    ]);
  });
});

describe('a sign of life', () => {
  const signal = { type: 'signal' };

  test('is reported at most once a minute', (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const { session: remote, signs } = session();
    remote.onStatus('connected');
    remote.onAck('A', 'server');
    assert.deepEqual(signs, [signal]);
    now = 59_999;
    remote.onAck('A', 'device');
    assert.deepEqual(signs, [signal]);
    now = 60_000;
    remote.onAck('A', 'read');
    assert.deepEqual(signs, [signal, signal]);
  });

  test('is an answered search for a number, where the server asks WhatsApp for each', async () => {
    const { session: remote, signs } = session({ find: async () => undefined });
    remote.onListed('connected', {});
    await remote.send('34600000009', 'Hola', () => {});
    assert.deepEqual(signs, [signal]);
    const { session: cached, signs: none } = session({ probe: async () => {} });
    cached.onListed('connected', {});
    await cached.send('34600000009', 'Hola', () => {});
    assert.deepEqual(none, []);
  });

  test('is neither the list, nor a status that is no news, nor a message that failed, nor any of a session that is down', () => {
    const { session: remote, signs } = session();
    remote.onListed('connected', {});
    remote.onStatus('connected');
    remote.onAck('A', 'failed');
    remote.onListed('stopped', {});
    remote.onAck('A', 'read');
    assert.deepEqual(signs, []);
  });
});

describe('what WhatsApp does not let an account do', () => {
  const limit = { until: 1_000 };
  const quota = { used: 3, total: 10 };

  test('is reported once, until it is over, from events and from the list', () => {
    const { session: remote, signs } = session();
    remote.onListed('connected', { limit, quota });
    remote.onStatus('connected', { limit: { until: 1_000 }, quota: { ...quota } });
    remote.onListed('connected', {});
    assert.deepEqual(signs, [
      { type: 'limited', limit },
      { type: 'quota', quota },
    ]);
    remote.onListed('connected', { limit: null, quota: null });
    assert.deepEqual(signs.slice(2), [
      { type: 'limited', limit: undefined },
      { type: 'quota', quota: undefined },
    ]);
  });

  test('is reported again when the session connects again, and not of another phone', () => {
    const { session: remote, signs } = session();
    remote.onListed('connected', { limit });
    remote.onListed('starting', {});
    remote.onListed('connected', {});
    remote.onListed('connected', { digits: '34600000009', limit: null });
    assert.deepEqual(signs, [
      { type: 'limited', limit },
      { type: 'limited', limit },
    ]);
  });

  test('is why a message was not sent', async () => {
    const { session: remote } = session({ send: async () => 'restricted' });
    remote.onStatus('connected');
    assert.equal(await remote.send('34600000009', 'Hola', () => {}), 'restricted');
  });
});

describe('a probe', () => {
  for (const [what, failure, code, isAnswered] of [
    ['that the server refuses', 'refused', '422', false],
    ['that fails', 'failed', '500', false],
    ['that is not answered in time', 'unreachable', 'TimeoutError', false],
    ['of a server that cannot be reached', 'unreachable', 'ECONNREFUSED', undefined],
    ['that is cut', 'unreachable', 'UND_ERR_SOCKET', undefined],
    ['of a server that rejects the key', 'key', '401', undefined],
    ['behind a page to sign in', 'nonsense', 'other JSON', undefined],
  ] as const) {
    test(`${what} is ${isAnswered === undefined ? 'no' : 'a'} finding`, async () => {
      const fails = () => Promise.reject(new RemoteError(failure, 'The server', code));
      const { session: remote, signs } = session({ find: fails });
      remote.onListed('connected', {});
      assert.equal(await remote.probe(), isAnswered);
      assert.deepEqual(signs, []);
    });
  }

  test('asks for the own digits, and is a sign of life if it is answered', async () => {
    const asked: string[] = [];
    const probe = async (...args: string[]) => void asked.push(...args);
    const { session: remote, signs } = session({ probe });
    remote.onListed('connected', {});
    assert.equal(await remote.probe(), true);
    assert.deepEqual(asked, [NUMERO, NUMERO]);
    assert.deepEqual(signs, [{ type: 'signal' }]);
  });
});

describe('while the server is asked', () => {
  test('to restart a session, its stop is not reported', async () => {
    const {
      session: remote,
      events,
      report,
    } = session({
      async start() {
        for (const status of ['stopped', 'starting', 'connected'] as const) remote.onStatus(status);
      },
    });
    remote.onStatus('connected');
    const mark = events.length;
    await remote.start(report);
    assert.deepEqual(events.slice(mark), [{ type: 'ready' }]);
  });

  test('to unlink a session, its new start is not reported, and the reason for its end is', async () => {
    const { session: remote, events } = session({
      async unlink() {
        for (const status of ['stopped', 'starting', 'scanning', 'stopped'] as const) remote.onStatus(status);
        return true;
      },
    });
    remote.onStatus('connected');
    const mark = events.length;
    await remote.unlink();
    remote.onStatus('starting');
    assert.deepEqual(events.slice(mark), [{ type: 'disconnected', reason: 'unlinked' }]);
  });
});

describe('a phone of another number', () => {
  const other = { digits: '34600000009' };
  const stopped = { type: 'stopped', reason: 'other-number', numero: other.digits };
  for (const [what, link] of [
    ['scans a code that was there before', (remote: RemoteSession) => remote.onCode({ code: 'code' })],
    ['takes a code to type', (remote: RemoteSession) => remote.pair()],
    [
      'is told after it was linked',
      (remote: RemoteSession) => {
        remote.onCode({ code: 'code' });
        remote.onStatus('connected');
      },
    ],
  ] as const) {
    test(`that ${what} is unlinked again`, async () => {
      let unlinked = 0;
      const { session: remote, events } = session({
        pair: async () => ({ code: 'AAAA1111' }),
        async unlink() {
          unlinked += 1;
          return true;
        },
      });
      remote.onStatus('scanning');
      await link(remote);
      remote.onStatus('connected', other);
      await settled();
      assert.deepEqual(events.at(-1), stopped);
      assert.equal(unlinked, 1);
    });
  }

  test('that was linked before is left as it is', () => {
    const { session: remote, events } = session({ unlink: () => assert.fail('asked') });
    remote.onStatus('connected', other);
    assert.deepEqual(events, [stopped]);
  });
});

describe('an outage of the server', () => {
  test('tells nothing of a session that is down, nor does its end', () => {
    const { session: remote, events } = session();
    remote.onCode({ code: 'code' });
    remote.onStatus('expired');
    const mark = events.length;
    remote.onStatus('unknown');
    remote.onStatus('stopped');
    assert.deepEqual(events.slice(mark), []);
  });

  test('is told of one that is connected, and so is its end', () => {
    const { session: remote, events } = session();
    remote.onStatus('connected');
    const mark = events.length;
    remote.onStatus('unknown');
    remote.onStatus('connected');
    assert.deepEqual(events.slice(mark), [{ type: 'delayed', reason: 'no-server' }, { type: 'ready' }]);
  });
});

describe('a code to type', () => {
  test('is the same one while there is time to type it', async (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['Date'], now: 0 });
    const codes = [{ code: 'AAAA1111' }, { code: 'BBBB2222' }];
    const { session: remote } = session({ pair: async () => codes.shift() });
    remote.onCode({ code: 'code' });
    assert.deepEqual(await remote.pair(), { code: 'AAAA1111', expires: 160_000 });
    mock.timers.tick(130_000);
    assert.equal((await remote.pair()).code, 'AAAA1111');
    mock.timers.tick(1);
    assert.equal((await remote.pair()).code, 'BBBB2222');
  });

  test('is not given to a session that was scanned meanwhile', async () => {
    const { session: remote } = session({
      async pair() {
        remote.onStatus('connected');
        return { code: 'AAAA1111' };
      },
    });
    remote.onCode({ code: 'code' });
    await assert.rejects(remote.pair(), NotPairable);
  });

  test('may not be given', async () => {
    const { session: remote } = session({ pair: () => Promise.reject(FAILURE) });
    remote.onCode({ code: 'code' });
    await assert.rejects(remote.pair(), NotPairable);
  });
});
