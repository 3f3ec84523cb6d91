import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { session } from './session-lab.ts';

describe('a session that its server ends without a reason', () => {
  const LOST = { type: 'disconnected', reason: 'connection-lost' };
  for (const status of ['stopped', 'failed'] as const) {
    for (const [what, between] of [
      ['is connected', []],
      ['connects again', ['starting']],
      ['is on a server that was away', ['unknown']],
      ['connects again on a server that was away', ['unknown', 'starting']],
    ] as const) {
      test(`${status}, has lost its connection if it ${what}`, () => {
        const { session: remote, events } = session();
        remote.onStatus('connected');
        for (const known of between) remote.onStatus(known);
        remote.onStatus(status);
        assert.deepEqual(events.at(-1), LOST);
      });
    }

    test(`${status}, has lost its connection if somebody restarts it here`, async () => {
      const { session: remote, events, report } = session();
      remote.onStatus('connected');
      await remote.start(report);
      for (const known of ['stopped', 'starting', status] as const) remote.onStatus(known);
      assert.deepEqual(events.at(-1), LOST);
    });

    for (const [what, between] of [
      ['has just been found', []],
      ['shows a code', ['scanning']],
      ['shows a code, on a server that was away', ['scanning', 'unknown']],
      ['is no longer linked', ['connected', 'logged-out', 'starting']],
    ] as const) {
      test(`${status}, has no reason if it ${what}`, () => {
        const { session: remote, events } = session();
        for (const known of between) remote.onStatus(known);
        const mark = events.length;
        remote.onStatus(status);
        assert.ok(events.slice(mark).every((event) => !('reason' in event)));
      });
    }
  }
});

describe('a linked session that connects again', () => {
  const OPENING = { type: 'state', state: 'OPENING' };

  test('has lost its connection, once, however often its server tries and says so', () => {
    const { session: remote, events } = session();
    remote.onListed('reconnecting', {});
    for (let times = 0; times < 3; times++) {
      remote.onStatus('starting');
      remote.onListed('reconnecting', {});
    }
    remote.onStatus('connected');
    assert.deepEqual(events, [OPENING, { type: 'ready' }]);
  });

  test('has lost its connection also after an outage of its server', () => {
    const { session: remote, events } = session();
    remote.onStatus('connected');
    remote.onStatus('unknown');
    remote.onStatus('starting');
    assert.deepEqual(events.at(-1), OPENING);
  });

  test('has not lost it because somebody has just started it here', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const { session: remote, events, report } = session();
    remote.onStatus('connected');
    const mark = events.length;
    await remote.start(report);
    remote.onListed('reconnecting', {});
    remote.onStatus('starting');
    assert.deepEqual(events.slice(mark), []);
    now = 3_000;
    remote.onListed('reconnecting', {});
    assert.deepEqual(events.slice(mark), [OPENING]);
  });
});
