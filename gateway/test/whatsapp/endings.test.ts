import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { pino } from 'pino';
import type { Close } from '../../src/engines/whatsapp/close.ts';
import { Codes } from '../../src/engines/whatsapp/codes.ts';
import { type Aftermath, Endings } from '../../src/engines/whatsapp/endings.ts';
import { Connectivity } from '../../src/engines/whatsapp/failures.ts';
import type { Phase } from '../../src/engines/whatsapp/reconnection.ts';
import { TIMINGS } from '../../src/engines/whatsapp/timings.ts';
import { ClientVersion } from '../../src/engines/whatsapp/version.ts';
import { MemoryLedger } from '../support/memory-ledger.ts';

const MINUTE = 60_000;
const LOGGED_OUT: Aftermath = {
  next: 'end',
  event: { type: 'disconnected', reason: 'logged-out' },
  erases: true,
};
const DEAD = { type: 'delayed', reason: 'dead-keys' };
const OPENING = { type: 'state', state: 'OPENING' };

/** The endings of one session, at a time that the test sets, with the longest waits. */
function startEndings(t: TestContext) {
  t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  t.mock.method(performance, 'now', () => Date.now());
  t.mock.method(Math, 'random', () => 1);
  const connectivity = new Connectivity(pino({ enabled: false }));
  const store = new MemoryLedger();
  const log = pino({ enabled: false });
  const version = new ClientVersion({ fixed: '2.3000.1', bundled: [2, 3000, 1], ask: undefined, store, log });
  const context = { timings: TIMINGS, connectivity, version };
  const endings = new Endings('1', context, new Codes(undefined));
  const other = new Endings('2', context, new Codes(undefined));
  const after = (phase: Phase, code: number, close: Partial<Close> = {}) =>
    endings.after(phase, { code, reached: true, ...close }, '2.3000.1');
  return {
    after,
    /** Another session of the gateway logs in. */
    otherLogsIn: () => other.opened(),
    otherFails: () => other.after('opening', { code: 503, reached: true }, '2.3000.1'),
    eventAfter(phase: Phase, code: number, close?: Partial<Close>) {
      const aftermath = after(phase, code, close);
      return aftermath.next === 'connect' ? assert.fail('no event') : aftermath.event;
    },
    waitAfter(phase: Phase, code: number) {
      const aftermath = after(phase, code);
      return aftermath.next === 'retry' ? aftermath.wait : assert.fail('no retry');
    },
    open(milliseconds: number) {
      endings.opened();
      t.mock.timers.tick(milliseconds);
    },
  };
}

describe('the wait after a lost connection', () => {
  test('begins anew after one that was open for long, and goes on from there', (t) => {
    const { waitAfter, open } = startEndings(t);
    const next = () => waitAfter('open', 428);
    assert.deepEqual([next(), next()], [1_000, 2_000]);
    open(MINUTE - 1);
    assert.equal(next(), 4_000, 'open for less than a minute');
    open(MINUTE);
    assert.deepEqual([next(), next(), next()], [1_000, 2_000, 4_000]);
  });

  test('does not count for the patient waits', (t) => {
    const { waitAfter } = startEndings(t);
    for (let lost = 0; lost < 6; lost++) waitAfter('opening', 428);
    assert.equal(waitAfter('opening', 405), TIMINGS.patientFirst);
  });
});

test('the wait for the end of a ban of a month does not overflow a timer, and its end is told', (t) => {
  const { after } = startEndings(t);
  const ban = 40 * 24 * 60 * MINUTE;
  const aftermath = after('opening', 402, { ban });
  assert.ok(aftermath.next === 'retry' && aftermath.wait < 2 ** 31, 'a timer that overflows fires at once');
  assert.deepEqual(aftermath.event, { type: 'delayed', reason: 'banned', until: Date.now() + ban });
});

describe('rejected credentials', () => {
  for (const phase of ['linking', 'opening', 'open'] as const) {
    test(`are erased while ${phase} only if the next connection is rejected too`, (t) => {
      const { after, eventAfter } = startEndings(t);
      assert.deepEqual(eventAfter(phase, 401), OPENING);
      assert.deepEqual(after('opening', 401), LOGGED_OUT);
    });
  }

  test('are confirmed by an answer of WhatsApp, not by a failure to reach it', (t) => {
    const { after, eventAfter } = startEndings(t);
    assert.deepEqual(eventAfter('opening', 401), OPENING);
    assert.deepEqual(eventAfter('opening', 401, { reached: false }), {
      type: 'delayed',
      reason: 'unreachable',
    });
    assert.deepEqual(eventAfter('opening', 503), OPENING);
    assert.deepEqual(after('opening', 401), LOGGED_OUT);
  });

  test('are confirmed if a login succeeds, but does not last', (t) => {
    const { after, open } = startEndings(t);
    after('open', 401);
    open(MINUTE - 1);
    assert.deepEqual(after('open', 401), LOGGED_OUT);
  });

  test('are good again after a login that lasts', (t) => {
    const { eventAfter, open } = startEndings(t);
    eventAfter('open', 401);
    open(MINUTE);
    assert.deepEqual(eventAfter('open', 401), OPENING);
  });

  test('of a device that was removed are erased at once', (t) => {
    const { after } = startEndings(t);
    assert.deepEqual(after('open', 401, { removed: true }), {
      next: 'end',
      event: { type: 'disconnected', reason: 'device-removed' },
      erases: true,
    });
  });
});

describe('keys whose logins WhatsApp closes', () => {
  /** Six failed logins in a row, a second apart; returns what is reported. */
  function failLogins(t: TestContext, { eventAfter }: ReturnType<typeof startEndings>) {
    return Array.from({ length: 6 }, () => {
      t.mock.timers.tick(1_000);
      return eventAfter('opening', 503);
    });
  }

  test('are dead after six in a row since another session has logged in', (t) => {
    const endings = startEndings(t);
    failLogins(t, endings);
    endings.otherLogsIn();
    assert.deepEqual(failLogins(t, endings), [...Array(5).fill(OPENING), DEAD]);
    assert.equal(endings.waitAfter('opening', 503), 2 * TIMINGS.patientFirst);
  });

  test('are not dead if no other session has, because WhatsApp is out of order, until an hour has passed', (t) => {
    const endings = startEndings(t);
    endings.otherLogsIn();
    assert.deepEqual(failLogins(t, endings), Array(6).fill(OPENING));
    t.mock.timers.tick(60 * MINUTE - 5_001);
    assert.deepEqual(endings.eventAfter('opening', 503), OPENING);
    t.mock.timers.tick(1);
    assert.deepEqual(endings.eventAfter('opening', 503), DEAD);
  });

  test('are never dead while WhatsApp closes the logins of other sessions too', (t) => {
    const endings = startEndings(t);
    endings.otherFails();
    failLogins(t, endings);
    t.mock.timers.tick(24 * 60 * MINUTE);
    assert.deepEqual(endings.eventAfter('opening', 503), OPENING);
    endings.otherLogsIn();
    assert.deepEqual(failLogins(t, endings).at(-1), DEAD);
  });

  test('are not dead because one fails while WhatsApp comes back from an outage', (t) => {
    const endings = startEndings(t);
    failLogins(t, endings);
    endings.otherLogsIn();
    assert.deepEqual(endings.eventAfter('opening', 503), OPENING);
    endings.otherLogsIn();
    assert.deepEqual(endings.eventAfter('opening', 503), OPENING);
  });

  test('are not dead because no other session fails any more', (t) => {
    const endings = startEndings(t);
    endings.otherFails();
    failLogins(t, endings);
    t.mock.timers.tick(2 * 60 * MINUTE);
    endings.otherLogsIn();
    assert.deepEqual(endings.eventAfter('opening', 503), OPENING);
    t.mock.timers.tick(60 * MINUTE);
    assert.deepEqual(endings.eventAfter('opening', 503), DEAD);
  });

  test('are not dead if one of the logins succeeds, for however short a time', (t) => {
    const endings = startEndings(t);
    failLogins(t, endings);
    endings.otherLogsIn();
    endings.open(1);
    assert.deepEqual(endings.eventAfter('open', 503), OPENING);
    assert.deepEqual(failLogins(t, endings), Array(6).fill(OPENING));
  });

  test('that are not linked yet are not counted', (t) => {
    const endings = startEndings(t);
    endings.otherLogsIn();
    for (let lost = 0; lost < 9; lost++) {
      t.mock.timers.tick(60 * MINUTE);
      assert.deepEqual(endings.eventAfter('connecting', 503), OPENING);
    }
  });
});
