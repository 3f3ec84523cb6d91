import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { listingOf, type Numeros } from '../../src/engines/remote/listing.ts';
import { digitsOf, isOf } from '../../src/engines/remote/numero.ts';
import type { ListedSession } from '../../src/engines/remote/server.ts';

const NUMERO = '34600000001';

const session = (name: string, more: Partial<ListedSession> = {}): ListedSession => ({
  name,
  status: 'connected',
  account: {},
  ...more,
});

/** A session that is listed here. */
const known = (name: string, numero = name, isLinking = false) => new Map([[name, { numero, isLinking }]]);

/** The numeros by the names of their sessions, and why others are not listed. */
function listed(sessions: ListedSession[], numeros: Partial<Numeros> = {}) {
  const listing = listingOf(sessions, { held: new Set(), ...numeros });
  const numerosByName = [...listing.listed.values()].map(({ numero, session: { name } }) => [name, numero]);
  return { listed: Object.fromEntries(numerosByName), omitted: Object.fromEntries(listing.omitted) };
}

describe('the numero of a session is', () => {
  test('its name, if that is a phone number', () => {
    assert.deepEqual(listed([session(NUMERO, { account: { digits: '34600000009' } })]).listed, {
      [NUMERO]: NUMERO,
    });
  });

  test('the number of its linked phone', () => {
    assert.deepEqual(
      listed([session('ventas', { account: { digits: NUMERO }, noted: '34600000009' })]).listed,
      {
        ventas: NUMERO,
      },
    );
  });

  test('what it was, after its phone was unlinked', () => {
    assert.deepEqual(listed([session('ventas')], { known: known('ventas', NUMERO) }).listed, {
      ventas: NUMERO,
    });
  });

  test('the one for which a phone is being linked, whichever that is', () => {
    const other = session('ventas', { account: { digits: '34600000009' } });
    assert.deepEqual(listed([other], { known: known('ventas', NUMERO, true) }).listed, { ventas: NUMERO });
  });

  test('the one that somebody noted', () => {
    assert.deepEqual(listed([session('ventas', { noted: NUMERO })]).listed, { ventas: NUMERO });
  });

  for (const noted of ['', 'Ana', '123', '../../etc', '1'.repeat(14), `${NUMERO}\n`]) {
    test(`not what is noted as ${JSON.stringify(noted)}`, () => {
      assert.deepEqual(listed([session('ventas', { noted })]), {
        listed: {},
        omitted: { ventas: 'nameless' },
      });
    });
  }
});

describe('a session is not listed', () => {
  test('while a phone of our own holds its numero, in any form', () => {
    const held = new Set(['5215550001111']);
    assert.deepEqual(listed([session('525550001111')], { held }).omitted, { '525550001111': 'held' });
  });

  test('after somebody took it off the list', () => {
    assert.deepEqual(listed([session(NUMERO)], { stored: new Map([[NUMERO, { leaving: true }]]) }).omitted, {
      [NUMERO]: 'unlisted',
    });
  });

  test('if its name cannot be part of a path', () => {
    for (const name of ['', '.', '..', '\ud800', 'a'.repeat(257)]) {
      assert.deepEqual(listed([session(name, { noted: NUMERO })]).omitted, { [name]: 'unnameable' });
    }
  });

  test('beside a connected one of the same numero, if none was listed', () => {
    const stopped = session(NUMERO, { status: 'stopped' });
    const connected = session('ventas', { account: { digits: NUMERO } });
    const all = { listed: { ventas: NUMERO }, omitted: { [NUMERO]: 'twin' } };
    assert.deepEqual(listed([stopped, connected]), all);
    assert.deepEqual(listed([connected, stopped]), all);
  });

  test('beside another one of the same numero: the first, or the one that was listed, stays', () => {
    const twins = [session('ventas', { account: { digits: NUMERO } }), session(NUMERO)];
    assert.deepEqual(listed(twins), { listed: { ventas: NUMERO }, omitted: { [NUMERO]: 'twin' } });
    assert.deepEqual(listed(twins, { known: known(NUMERO) }), {
      listed: { [NUMERO]: NUMERO },
      omitted: { ventas: 'twin' },
    });
  });
});

test('a number is not looked for in a session whose number is not known', () => {
  assert.equal(isOf(session('ventas'), NUMERO), false);
  assert.equal(isOf(session('ventas', { noted: '34600000009' }), NUMERO), false);
  assert.equal(isOf(session('ventas', { noted: NUMERO }), NUMERO), true);
  assert.equal(isOf(session('ventas'), NUMERO, NUMERO), true);
});

for (const [address, digits] of [
  ['5215550001111@c.us', '5215550001111'],
  ['5215550001111:7@s.whatsapp.net', '5215550001111'],
  ['group@g.us', undefined],
  ['5215550001111', undefined],
  [null, undefined],
  [undefined, undefined],
] as const) {
  test(`the address ${address} has the digits ${digits}`, () => {
    assert.equal(digitsOf(address), digits);
  });
}
