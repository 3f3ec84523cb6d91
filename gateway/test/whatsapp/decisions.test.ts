import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { aesDecryptGCM, decodeBinaryNode } from '@whiskeysockets/baileys';
import { isSkippable } from '../../src/engines/whatsapp/frames.ts';
import {
  backOff,
  type DisconnectReason,
  disconnectReason,
  type Phase,
  startDelay,
} from '../../src/engines/whatsapp/reconnection.ts';
import { TIMINGS } from '../../src/engines/whatsapp/timings.ts';

const PHASES: Phase[] = ['connecting', 'code', 'passkey', 'scanned', 'linking', 'opening', 'open'];

describe('disconnect reason', () => {
  const always: [code: number, DisconnectReason][] = [
    [402, 'banned'],
    [403, 'restricted'],
    [406, 'restricted'],
    [405, 'outdated'],
    [409, 'outdated'],
    [440, 'replaced'],
    [400, 'connection-lost'],
    [428, 'connection-lost'],
    [500, 'connection-lost'],
    [0, 'connection-lost'],
  ];
  for (const [code, reason] of always) {
    test(`${code} is ${reason} in every phase`, () => {
      for (const phase of PHASES)
        assert.equal(disconnectReason(phase, { code, reached: true }, false), reason, phase);
    });
  }

  for (const code of [401, 411]) {
    test(`${code} is a logout of a linked phone, and a refusal to link one`, () => {
      for (const phase of PHASES) {
        const expected = ['connecting', 'code', 'passkey'].includes(phase) ? 'refused' : 'logged-out';
        assert.equal(disconnectReason(phase, { code, reached: true }, false), expected, phase);
      }
    });
  }

  test('408 of the library is a QR timeout once the last code has expired, else a lost connection', () => {
    for (const phase of PHASES) {
      for (const areCodesOver of [false, true]) {
        const expected = phase === 'code' && areCodesOver ? 'qr-timeout' : 'connection-lost';
        assert.equal(disconnectReason(phase, { code: 408, reached: true }, areCodesOver), expected, phase);
      }
    }
  });

  test('408 of WhatsApp is an outdated client that cannot be linked, else a lost connection', () => {
    for (const phase of PHASES) {
      const expected = phase === 'connecting' || phase === 'code' ? 'outdated' : 'connection-lost';
      assert.equal(disconnectReason(phase, { code: 408, reached: true, sent: true }, true), expected, phase);
    }
  });

  test('503 is a failed login while logging in, else a lost connection', () => {
    for (const phase of PHASES) {
      const expected = phase === 'opening' ? 'login-failed' : 'connection-lost';
      assert.equal(disconnectReason(phase, { code: 503, reached: true }, false), expected, phase);
    }
  });

  test('515 is a required restart after a scan, else a lost connection', () => {
    for (const phase of PHASES) {
      const expected = phase === 'linking' ? 'restart-required' : 'connection-lost';
      assert.equal(disconnectReason(phase, { code: 515, reached: true }, false), expected, phase);
    }
  });

  test('an answer that is not from WhatsApp never voids credentials', () => {
    for (const code of [401, 403, 405, 408, 411, 440, 515]) {
      for (const phase of PHASES) {
        assert.equal(
          disconnectReason(phase, { code, reached: false }, true),
          'unreachable',
          `${phase} ${code}`,
        );
      }
    }
  });
});

describe('an unreadable frame', () => {
  const failure = async (read: () => unknown) => {
    try {
      await read();
    } catch (error) {
      return error;
    }
    return assert.fail('it could');
  };

  const CONTENTS: [what: string, ...content: number[]][] = [
    ['is empty'],
    ['is compressed, and cut', 2, ...deflateSync(Buffer.alloc(9)).subarray(0, -2)],
    ['is no zlib', 2, 1, 2, 3],
    ['is compressed to nothing', 2, ...deflateSync(Buffer.alloc(0))],
    ['is cut', 0, 248],
    ['has an unknown token', 0, 248, 1, 240],
    ['is too deep', 0, ...Array.from({ length: 20_000 }, () => [248, 2, 30, 248, 1]).flat()],
  ];
  for (const [what, ...content] of CONTENTS) {
    test(`is skipped if its decrypted content ${what}`, async () => {
      assert.equal(isSkippable(await failure(() => decodeBinaryNode(Buffer.from(content)))), true);
    });
  }

  test('is skipped if it inflates beyond the limit', () => {
    assert.equal(isSkippable(Object.assign(new RangeError(), { code: 'ERR_BUFFER_TOO_LARGE' })), true);
  });

  test('ends the connection if decryption or handling failed, or for an unknown reason', async () => {
    const [key, iv] = [Buffer.alloc(32), Buffer.alloc(12)];
    for (const length of [0, 5, 50]) {
      const error = await failure(() => aesDecryptGCM(Buffer.alloc(length), key, iv, Buffer.alloc(0)));
      assert.equal(isSkippable(error), false, String(error));
    }
    for (const error of [new TypeError(), 1006, undefined]) assert.equal(isSkippable(error), false);
  });
});

describe('back-off', () => {
  test('doubles up to the maximum, less a random part of up to half', () => {
    const longest = [0, 1, 2, 3, 4, 5, 99].map((attempt) => backOff(attempt, 1_000, 20_000, () => 1));
    assert.deepEqual(longest, [1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000]);
    assert.equal(
      backOff(2, 1_000, 20_000, () => 0),
      2_000,
    );
  });

  test('differs from one session to another', () => {
    assert.ok(new Set(Array.from({ length: 20 }, () => backOff(0, 1_000, 1_000))).size > 10);
  });
});

describe('start delay', () => {
  test('is none for the first session, and a random moment of its place for each other', () => {
    for (const random of [0, 0.5, 0.99])
      assert.equal(
        startDelay(0, 100, () => random),
        0,
      );
    assert.equal(
      startDelay(1, 100, () => 0),
      100,
    );
    assert.equal(
      startDelay(499, 100, () => 0.5),
      49_850,
    );
  });

  test('never lets five hundred sessions log in within a second', () => {
    const delays = Array.from({ length: 500 }, (_, place) => startDelay(place, TIMINGS.stagger)).sort(
      (a, b) => a - b,
    );
    for (const [index, delay] of delays.entries()) {
      const within = delays.slice(index).filter((other) => other - delay < 1_000).length;
      assert.ok(within <= 12, `${within} within a second`);
    }
  });
});
