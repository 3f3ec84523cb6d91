import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hintOn, numberInText } from '../../src/dialogs/add-dialog.tsx';
import * as texts from '../../src/texts/sentences.ts';
import { t } from './support.ts';

const ARGENTINA = '5491122334455';
const MEXICO = '5215512345678';
const LANDLINE = '541155556666';

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

describe('the hint on a numero that is typed', () => {
  const { listed, mexico, argentina } = texts;
  const listedAs = (numero: string) => `Ya está en la lista como ${numero}.`;
  const cases: readonly [numero: string, hint: string | undefined][] = [
    [ARGENTINA, listed],
    ['525512345678', listedAs(MEXICO)],
    ['541122334455', listedAs(ARGENTINA)],
    ['5491155556666', listedAs(LANDLINE)],
    ['+525512345678', listedAs(MEXICO)],
    ['528112345678', mexico],
    ['542214123456', argentina],
    ['5411152233445', argentina],
    ['5401122334455', argentina],
    ['5219991234567', undefined],
    ['5492214123456', undefined],
    ['34612345678', undefined],
    ['573001234567', undefined],
    ['521551234567', undefined],
    ['operador-1', undefined],
    ['5512345678', undefined],
    // Below the least.
    ['552233445', undefined],
  ];
  for (const [numero, hint] of cases) {
    it(`${numero}: ${hint}`, () => assert.equal(hintOn(t, numero, [ARGENTINA, MEXICO, LANDLINE]), hint));
  }

  it('does not match a part of a longer number', () => {
    const longer = '5219991234567';
    for (let length = 1; length <= longer.length; length += 1)
      assert.equal(hintOn(t, longer.slice(0, length), []), undefined);
  });
});
