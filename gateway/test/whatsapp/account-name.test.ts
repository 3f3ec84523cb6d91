import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { accountName } from '../../src/engines/account-name.ts';
import { type EngineLab, startEngine } from './support/engine-lab.ts';
import { NUMERO, OTHER } from './support/lab.ts';

function names(lab: EngineLab): string[] {
  return lab.events(NUMERO).flatMap((event) => (event.type === 'name' ? [event.name] : []));
}

describe("an account's own name", () => {
  test('is reported once the session is ready, also after a restart', async (t) => {
    const lab = await startEngine(t);
    lab.whatsapp.phone(NUMERO).businessName = ' Taller\u202e\nPérez ';
    await lab.link(NUMERO);
    await until(() => names(lab).length === 1, 'the name');
    assert.deepEqual(lab.heard(NUMERO).slice(-2), ['ready', 'name']);
    await lab.reopen();
    await until(() => names(lab).length === 2, 'the name');
    assert.deepEqual(names(lab), ['Taller Pérez', 'Taller Pérez']);
  });

  test('is reported when it changes, and never a placeholder', async (t) => {
    const lab = await startEngine(t, { preKeys: 0 });
    await lab.start(NUMERO);
    const phone = lab.whatsapp.phone(NUMERO);
    await phone.type((await lab.engine.pair(NUMERO)).code);
    await lab.last(NUMERO, 'ready');
    for (const name of ['Ana', 'Ana', 'Ana María']) await phone.rename(name, lab.whatsapp.phone(OTHER));
    await until(() => names(lab).includes('Ana María'), 'the last name');
    assert.deepEqual(names(lab), ['Ana', 'Ana María']);
  });

  test('has no control characters, and is not too long', () => {
    assert.equal(accountName('a\u0000b\u2066c\u2028d\te'), 'a b c d e');
    assert.equal(accountName('👩‍👩‍👧 Ñandú'), '👩‍👩‍👧 Ñandú');
    assert.equal(accountName('x'.repeat(61))?.length, 60);
    for (const empty of [undefined, '', '  ', '\u202e\u0007']) assert.equal(accountName(empty), undefined);
  });
});
