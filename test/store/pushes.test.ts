import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createParser } from '../../src/server/parse.ts';
import { stopTime, t } from './support.ts';

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
    it(`is understood: ${name} ${JSON.stringify(args)}`, () =>
      assert.deepEqual(createParser(t).push(name, args), push));
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
    ['session:change_state', [{ numero: '5'.repeat(2_001), state: 'X' }]],
  ];
  it('may have a text of any length, of which only the beginning counts', () => {
    const long = '\u{1f600}'.repeat(1_000_000);
    const [state, code] = [
      ['session:change_state', numero, long] as const,
      [`session:qr:${numero}`, long] as const,
    ].map(([name, ...args]) => createParser(t).push(name, args));
    assert.deepEqual(state, { type: 'change_state', numero, state: '\u{1f600}'.repeat(300) });
    // No code can hold what is left of it.
    assert.deepEqual(code, { type: 'qr', numero, qrCode: '\u{1f600}'.repeat(4_000) });
  });

  for (const [name, args] of odd) {
    it(`is dropped where it is invalid: ${name} ${JSON.stringify(args).slice(0, 80)}`, () =>
      assert.equal(createParser(t).push(name, args), undefined));
  }
});
