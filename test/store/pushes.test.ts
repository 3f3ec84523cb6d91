import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePush } from '../../src/server/parse.ts';
import { stopTime } from './support.ts';

const numero = '5491155550001';

stopTime();

describe('a push', () => {
  const good: readonly [name: string, args: unknown[], push: object][] = [
    [`session:qr:${numero}`, ['2@1'], { type: 'qr', numero, qrCode: '2@1' }],
    [`session:disconnected:${numero}`, [], { type: 'disconnected', numero }],
    [`session:authenticated:${numero}`, [{ any: 1 }], { type: 'authenticated', numero }],
    [`session:qr_timeout:${numero}`, [], { type: 'qr_timeout', numero }],
    [`session:ready:${numero}`, [], { type: 'ready', numero }],
    ['session:change_state', [{ numero, state: 'X' }], { type: 'change_state', numero, state: 'X' }],
    ['session:change_state', [numero, 'X'], { type: 'change_state', numero, state: 'X' }],
    ['session:change_state', [Number(numero), ''], { type: 'change_state', numero, state: '' }],
    [
      'session:change_state',
      [{ numero: Number(numero), state: 'X' }],
      { type: 'change_state', numero, state: 'X' },
    ],
  ];
  for (const [name, args, push] of good) {
    it(`is understood: ${name} ${JSON.stringify(args)}`, () => assert.deepEqual(parsePush(name, args), push));
  }

  const odd: readonly [name: string, args: unknown[]][] = [
    [`session:qr:${numero}`, []],
    [`session:qr:${numero}`, [null]],
    [`session:qr:${numero}`, [{ qr: 'x' }]],
    [`session:qr:${numero}`, ['']],
    ['session:qr:', []],
    ['session:change_state', []],
    ['session:change_state', [null]],
    ['session:change_state', [{ numero }]],
    ['session:change_state', [{ state: 'X' }]],
    ['session:change_state', [{ numero: '', state: 'X' }]],
    ['session:change_state', [[numero, 'X']]],
    ['session:unheard_of:1', [1]],
    ['something else', []],
  ];
  for (const [name, args] of odd) {
    it(`is dropped where it is invalid: ${name} ${JSON.stringify(args)}`, () =>
      assert.equal(parsePush(name, args), undefined));
  }
});
