import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { aesDecryptGCM, decodeBinaryNode } from '@whiskeysockets/baileys';
import { backOff } from '../../demo/gateway/whatsapp/back-off.ts';
import { type Closing, closingOf, type Phase } from '../../demo/gateway/whatsapp/closing.ts';
import { isLeftOut } from '../../demo/gateway/whatsapp/frames.ts';

const PHASES: Phase[] = ['connecting', 'code', 'linking', 'opening', 'open'];

describe('what a closed line means', () => {
  const always: [code: number, Closing][] = [
    [401, 'revoked'],
    [411, 'revoked'],
    [403, 'restricted'],
    [405, 'outdated'],
    [440, 'replaced'],
    [428, 'line-lost'],
    [500, 'line-lost'],
    [503, 'line-lost'],
    [0, 'line-lost'],
  ];
  for (const [code, closing] of always) {
    test(`${code} is ${closing}, however far the session was`, () => {
      for (const phase of PHASES) assert.equal(closingOf(phase, { code, reached: true }), closing, phase);
    });
  }

  test('408 is the end of the codes while one is up, and a lost line otherwise', () => {
    for (const phase of PHASES) {
      const expected = phase === 'code' ? 'codes-used-up' : 'line-lost';
      assert.equal(closingOf(phase, { code: 408, reached: true }), expected, phase);
    }
  });

  test('515 is nothing after a scan, and a lost line otherwise', () => {
    for (const phase of PHASES) {
      const expected = phase === 'linking' ? 'restart' : 'line-lost';
      assert.equal(closingOf(phase, { code: 515, reached: true }), expected, phase);
    }
  });

  test('nothing that somebody else than WhatsApp answers voids credentials', () => {
    for (const code of [401, 403, 405, 408, 411, 440, 515]) {
      for (const phase of PHASES) {
        assert.equal(closingOf(phase, { code, reached: false }), 'unreachable', `${phase} ${code}`);
      }
    }
  });
});

describe('a frame that could not be read', () => {
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
    test(`is left out if what was encrypted ${what}`, async () => {
      assert.equal(isLeftOut(await failure(() => decodeBinaryNode(Buffer.from(content)))), true);
    });
  }

  test('is left out if it became too large', () => {
    assert.equal(isLeftOut(Object.assign(new RangeError(), { code: 'ERR_BUFFER_TOO_LARGE' })), true);
  });

  test('ends the line if it could not be decrypted, or its node not be handled, or nobody knows why', async () => {
    const [key, iv] = [Buffer.alloc(32), Buffer.alloc(12)];
    for (const length of [0, 5, 50]) {
      const error = await failure(() => aesDecryptGCM(Buffer.alloc(length), key, iv, Buffer.alloc(0)));
      assert.equal(isLeftOut(error), false, String(error));
    }
    for (const error of [new TypeError(), 1006, undefined]) assert.equal(isLeftOut(error), false);
  });
});

describe('the wait before the next attempt', () => {
  test('doubles up to the longest, and is between half of that and all of it', () => {
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
