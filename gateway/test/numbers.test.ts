import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalNumero, sameNumero } from '../src/numbers.ts';
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

  test('are one session, whichever form a request uses', async (t) => {
    const clock = new ManualClock();
    const gateway = await startGateway(t, { clock });
    const listener = await Listener.connect(t, gateway);
    const listed = async () => {
      const { body } = await call(gateway, '/api/session/sessions');
      return Array.isArray(body) ? body.map(({ numero }: { numero: string }) => numero) : [];
    };
    for (const form of ['+54 9 11 5000-0001', '541150000001']) {
      const { body } = await call(gateway, `/api/session/levanta/${encodeURIComponent(form)}`);
      assert.deepEqual(body, { numero: '5491150000001' });
    }
    assert.deepEqual(await listed(), ['5491150000001']);

    clock.advance(1_000);
    const [code] = await listener.heard('session:qr:5491150000001');
    gateway.phones.scan('5491150000001', String(code));
    clock.advance(1_500);
    const body = message('54 11 5000 0001', [34600000001]);
    assert.equal((await call(gateway, '/api/message', { method: 'POST', body })).status, 200);

    const path = `/api/session/${encodeURIComponent('+54 11 5000 0001')}`;
    assert.equal((await call(gateway, path, { method: 'DELETE' })).status, 204);
    assert.deepEqual(await listed(), []);
  });

  test('leave a session that is listed under another form where it is', async (t) => {
    const seeds = [{ numero: '+54 911 5000-0001', state: 'disconnected' }] as const;
    const gateway = await startGateway(t, { clock: new ManualClock(), sessions: seeds });
    const { body } = await call(gateway, '/api/session/levanta/5491150000001');
    assert.deepEqual(body, { numero: '+54 911 5000-0001' });
  });
});
