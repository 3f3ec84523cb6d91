import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { getCountries, getCountryCallingCode, getExampleNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';
import { canonicalNumero, numeroKey, sameNumero } from '../src/numbers.ts';
import { call, Listener, message, startGateway } from './support/gateway.ts';
import { ManualClock } from './support/manual-clock.ts';

/** Forms of one number, the canonical one first. */
const FORMS: Record<string, string[]> = {
  'Mexico, with and without the 1': [
    '5215550001111',
    '525550001111',
    '+52 1 55 5000 1111',
    '+52 55 5000-1111',
  ],
  'Argentina, with and without the 9, or with 15': [
    '5491150000001',
    '541150000001',
    '+54 9 11 5000-0001',
    '54 11 15 5000 0001',
  ],
  'Brazil, with and without the ninth digit': ['5511987654321', '551187654321', '+55 (11) 98765-4321'],
  'a landline of Brazil': ['551138765432', '+55 11 3876-5432'],
  'Italy, whose zero belongs to the number': ['390612345678', '+39 06 1234 5678'],
  'Great Britain, with the zero that is dialled at home': ['447911123456', '+44 (0)7911 123456'],
  'Spain, with the prefix that is dialled abroad': ['34600000001', '0034 600 00 00 01', '+34.600.000.001'],
};

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

/** Spellings of numbers of all countries, valid or not; half of them of Brazil. */
const spelling = fc
  .oneof(fc.constant('BR' as const), fc.constantFrom(...getCountries()))
  .chain((country) => {
    const example = getExampleNumber(country, examples)?.nationalNumber ?? '';
    const near = digits(0, 8).map((end) => example.slice(0, Math.max(0, example.length - end.length)) + end);
    return fc.tuple(
      fc.constantFrom('', '+', '00'),
      fc.constant(getCountryCallingCode(country)),
      // What is dialled at home: trunk prefixes, carriers, and digits that only some accounts have.
      fc.oneof(fc.constantFrom('', '0', '00', '8', '1', '9', '15', '90'), digits(1, 4)),
      fc.oneof(near, digits(7, 11)),
    );
  })
  .map((parts) => parts.join(''));

describe('forms of one number', () => {
  for (const [what, [canonical = '', ...others]] of Object.entries(FORMS)) {
    test(`are one: ${what}`, () => {
      for (const form of [canonical, ...others]) {
        assert.equal(canonicalNumero(form), canonical, form);
        assert.ok(sameNumero(form, canonical), form);
      }
    });
  }

  test('that are no phone number are kept as written, and compared by their digits', () => {
    assert.equal(canonicalNumero('+52 155 5000'), '+52 155 5000');
    assert.equal(canonicalNumero('\u200e521\u200b555000\u00ad'), '521555000');
    assert.ok(sameNumero('+52 155 5000', '521555000'));
    assert.ok(!sameNumero('521555000', '521555001'));
    assert.ok(!sameNumero('abc', 'abd'));
  });

  test('never match another number', () => {
    const canonical = Object.values(FORMS).map(([first = '']) => first);
    for (const one of canonical) {
      assert.deepEqual(
        canonical.filter((other) => sameNumero(one, other)),
        [one],
      );
    }
  });

  test('have a key that is its own key, and the one of the canonical form', () => {
    const property = fc.property(spelling, (text) => {
      const key = numeroKey(text);
      assert.equal(numeroKey(key), key);
      assert.equal(numeroKey(canonicalNumero(text)), key);
    });
    fc.assert(property, { numRuns: 4_000, examples: [['5500680646426']] });
  });

  test('are one session, whichever form a request uses', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock });
    const listener = await Listener.connect(t, gateway);
    const listed = async () => {
      const { body } = await call(gateway, '/api/session/sessions');
      return Array.isArray(body) ? body.map(({ numero }: { numero: string }) => numero) : [];
    };
    for (const form of ['+54 9 11 5000-0001', '541150000001', '\u202a+54 911 5000\u20110001\u202c']) {
      const { body } = await call(gateway, `/api/session/levanta/${encodeURIComponent(form)}`);
      assert.deepEqual(body, { numero: '5491150000001' });
    }
    assert.deepEqual(await listed(), ['5491150000001']);

    clock.advance(1_000);
    const [code] = await listener.heard('session:qr:5491150000001');
    gateway.phones.phone('5491150000001').scan(String(code));
    clock.advance(1_500);
    const body = message('54 11 5000 0001', [34600000001]);
    assert.equal((await call(gateway, '/api/message', { method: 'POST', body })).status, 200);

    const path = `/api/session/${encodeURIComponent('+54 11 5000 0001')}`;
    assert.equal((await call(gateway, path, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await listed(), []);
  });

  test('replace no session of another number', async (t) => {
    const seeds = [{ numero: '5569980646426', state: 'connected' }] as const;
    const gateway = await startGateway(t, { clock: new ManualClock(), sessions: seeds });
    await call(gateway, '/api/session/levanta/5500680646426');
    const { body } = await call(gateway, '/api/session/sessions');
    assert.ok(Array.isArray(body));
    assert.deepEqual(
      body.map(({ numero, state }) => [numero, state]),
      [
        ['5569980646426', 'CONNECTED'],
        ['5500680646426', 'AUTENTICANDO...'],
      ],
    );
  });

  test('leave a session that is listed under another form where it is', async (t) => {
    const seeds = [{ numero: '+54 911 5000-0001', state: 'disconnected' }] as const;
    const gateway = await startGateway(t, { clock: new ManualClock(), sessions: seeds });
    const { body } = await call(gateway, '/api/session/levanta/5491150000001');
    assert.deepEqual(body, { numero: '+54 911 5000-0001' });
  });
});
