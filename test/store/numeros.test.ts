import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { numberInText } from '../../src/dialogs/add-dialog.tsx';

describe('the digits of a number as it is copied', () => {
  const cases: readonly [copied: string, digits: string | undefined][] = [
    ['+54 9 11 2233-4455', '5491122334455'],
    ['00 54 9 11 2233 4455', '5491122334455'],
    ['(54) 9-11.2233.4455', '5491122334455'],
    ['\u202a+54 9 11 2233\u20114455\u202c', '5491122334455'],
    ['+52\u00a01\u00a055\u00a01234\u00a05678', '5215512345678'],
    ['Tel.: +34 612 34 56 78 (Ana)', '34612345678'],
    ['https://wa.me/5491122334455', '5491122334455'],
    ['+44 (0)20 7946 0958', '442079460958'],
    ['5491122334455\n', '5491122334455'],
    ['22-33', '2233'],
    ['una-sesión-larga', undefined],
    ['operador-1', undefined],
    ['', undefined],
  ];
  for (const [copied, digits] of cases) {
    it(`${JSON.stringify(copied)}: ${digits}`, () => assert.equal(numberInText(copied), digits));
  }
});
