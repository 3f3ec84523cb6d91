import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import * as evolution from '../../src/engines/evolution/states.ts';
import type { Known, Status } from '../../src/engines/remote/server.ts';
import { eventsBetween } from '../../src/engines/remote/transitions.ts';
import * as waha from '../../src/engines/waha/states.ts';
import { limitOf, quotaOf } from '../../src/engines/waha/states.ts';

describe("WAHA's words", () => {
  const rows: [word: string, before: string | undefined, status: Status | undefined][] = [
    ['STOPPED', undefined, 'stopped'],
    ['STARTING', undefined, 'starting'],
    ['SCAN_QR_CODE', undefined, 'scanning'],
    ['PASSKEY_REQUIRED', undefined, 'passkey'],
    ['PASSKEY_CONFIRMATION_REQUIRED', undefined, 'passkey'],
    ['WORKING', undefined, 'connected'],
    ['FAILED', undefined, 'failed'],
    ['FAILED', 'SCAN_QR_CODE', 'expired'],
    ['FAILED', 'WORKING', 'failed'],
    ['FAILED', 'STARTING', 'failed'],
    ['DREAMING', undefined, undefined],
    ['constructor', undefined, undefined],
  ];
  for (const [word, before, status] of rows) {
    test(`${word} after ${before ?? 'nothing'} is ${status ?? 'not known'}`, () => {
      assert.equal(waha.statusOf(word, before), status);
    });
  }

  test('those for a passkey are steps where the server can go on', () => {
    const words = ['PASSKEY_REQUIRED', 'PASSKEY_CONFIRMATION_REQUIRED', 'WORKING'];
    assert.deepEqual(words.map(waha.stepOf), ['sign', 'confirm', undefined]);
  });

  for (const [level, ack] of [
    [-1, 'failed'],
    [0, undefined],
    [1, 'server'],
    [2, 'device'],
    [3, 'read'],
    [4, 'read'],
    [5, undefined],
  ] as const) {
    test(`ack ${level} is ${ack ?? 'no news'}`, () => {
      assert.equal(waha.ACKS.get(level), ack);
    });
  }

  for (const [timelock, limit] of [
    [undefined, undefined],
    ['RESTRICTED', undefined],
    [{ isActive: 'yes' }, undefined],
    [null, null],
    [{ isActive: false, timeEnforcementEnds: 2_000 }, null],
    [{ isActive: true, timeEnforcementEnds: 2_000, enforcementType: 'DEFAULT' }, { until: 2_000_000 }],
    [{ isActive: true, timeEnforcementEnds: 1_000 }, null],
    [{ isActive: true, timeEnforcementEnds: null }, {}],
    [{ isActive: true, timeEnforcementEnds: '2000' }, {}],
    [{ isActive: true, timeEnforcementEnds: -1 }, {}],
    [{ isActive: true, timeEnforcementEnds: 1e300 }, {}],
    [{ isActive: true }, {}],
  ] as const) {
    test(`the time-lock ${JSON.stringify(timelock)} is ${JSON.stringify(limit) ?? 'not known'}`, (t) => {
      t.mock.method(Date, 'now', () => 1_000_000);
      assert.deepEqual(limitOf(timelock), limit);
    });
  }

  for (const [capping, quota] of [
    [undefined, undefined],
    [{ totalQuota: '10', usedQuota: 3 }, undefined],
    [{ totalQuota: 10, usedQuota: -3 }, undefined],
    [null, null],
    [{ totalQuota: -1, usedQuota: 0, cappingStatus: 'NONE' }, null],
    [{ totalQuota: 0, usedQuota: 0 }, null],
    [
      { totalQuota: 10, usedQuota: 3 },
      { used: 3, total: 10 },
    ],
  ] as const) {
    test(`the capping ${JSON.stringify(capping)} is ${JSON.stringify(quota) ?? 'not known'}`, () => {
      assert.deepEqual(quotaOf(capping), quota);
    });
  }
});

describe("Evolution API's words", () => {
  const rows: [word: string, reason: number | undefined, status: Status | undefined][] = [
    ['open', undefined, 'connected'],
    ['open', 200, 'connected'],
    ['connecting', 200, 'starting'],
    ['close', undefined, 'stopped'],
    ['close', 428, 'stopped'],
    ['close', 401, 'logged-out'],
    ['close', 403, 'restricted'],
    ['closed', 401, 'logged-out'],
    ['closed', undefined, 'stopped'],
    ['refused', undefined, 'expired'],
    ['refused', 500, 'expired'],
    ['dreaming', 401, undefined],
    ['toString', undefined, undefined],
  ];
  for (const [word, reason, status] of rows) {
    test(`${word} with ${reason ?? 'no reason'} is ${status ?? 'not known'}`, () => {
      assert.equal(evolution.statusOf(word, reason), status);
    });
  }

  for (const [word, stored, status] of [
    ['open', 'close', 'connected'],
    ['connecting', 'close', 'starting'],
    ['connecting', 'connecting', 'starting'],
    ['connecting', 'open', 'reconnecting'],
    ['close', 'close', 'stopped'],
    ['close', 'connecting', 'starting'],
    ['close', 'open', 'reconnecting'],
    ['refused', 'open', 'expired'],
    ['dreaming', 'open', undefined],
  ] as const) {
    test(`${word} of an instance that is stored as ${stored} is ${status ?? 'not known'}`, () => {
      assert.equal(evolution.listedStatusOf(word, stored), status);
    });
  }

  for (const [word, ack] of [
    ['ERROR', 'failed'],
    ['PENDING', undefined],
    ['SERVER_ACK', 'server'],
    ['DELIVERY_ACK', 'device'],
    ['READ', 'read'],
    ['PLAYED', 'read'],
    ['valueOf', undefined],
  ] as const) {
    test(`ack ${word} is ${ack ?? 'no news'}`, () => {
      assert.equal(evolution.ACKS.get(word), ack);
    });
  }
});

describe('a session that was', () => {
  const authenticating = `state ${STATES.authenticating}`;
  const rows: [before: Known, after: Known, events: string, wasLinked?: boolean][] = [
    ['starting', 'scanning', ''],
    ['stopped', 'scanning', authenticating],
    ['unknown', 'scanning', authenticating],
    ['connected', 'scanning', `disconnected connection-lost ${authenticating}`, true],
    ['unknown', 'scanning', `disconnected connection-lost ${authenticating}`, true],
    ['starting', 'scanning', '', true],
    ['stopped', 'scanning', authenticating, true],
    ['scanning', 'connected', 'authenticated ready'],
    ['starting', 'connected', 'ready'],
    ['unknown', 'connected', 'ready'],
    ['connected', 'connected', ''],
    ['connected', 'reconnecting', 'state OPENING'],
    ['starting', 'reconnecting', 'state OPENING'],
    ['unknown', 'reconnecting', 'state OPENING'],
    ['stopped', 'starting', authenticating],
    ['scanning', 'expired', 'qr_timeout'],
    ['connected', 'logged-out', 'disconnected logged-out'],
    ['stopped', 'logged-out', ''],
    ['connected', 'stopped', 'disconnected connection-lost', true],
    ['starting', 'stopped', 'disconnected'],
    ['expired', 'stopped', ''],
    ['restricted', 'stopped', ''],
    ['unknown', 'stopped', 'disconnected'],
    ['connected', 'restricted', 'stopped restricted'],
    ['starting', 'passkey', 'stopped passkey'],
    ['scanning', 'sign', 'passkey sign'],
    ['sign', 'sign', ''],
    ['signed', 'sign', 'passkey sign'],
    ['signed', 'connected', 'authenticated ready'],
    ['sign', 'stopped', 'disconnected'],
    ['scanning', 'other-number', 'stopped other-number 34600000001'],
    ['connected', 'unknown', 'delayed no-server'],
  ];
  for (const [before, after, events, wasLinked] of rows) {
    test(`${before} and is ${after} reports ${events || 'nothing'}`, () => {
      const reported = eventsBetween(before, after, '34600000001', wasLinked).map((event) =>
        event.type === 'passkey' ? `passkey ${event.passkey.step}` : Object.values(event).join(' '),
      );
      assert.equal(reported.join(' '), events);
    });
  }
});
