import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TIMINGS } from '../src/engines/whatsapp/timings.ts';
import { answerTimeout } from '../src/http/forward.ts';
import { clientAddress } from '../src/security/addresses.ts';
import { message, NUMERO } from './support/gateway.ts';

describe('the address of a client', () => {
  const cases: [ip: string | undefined, client: string][] = [
    ['198.51.100.1', '198.51.100.1'],
    ['::ffff:198.51.100.1', '198.51.100.1'],
    ['::ffff:c633:6401', '198.51.100.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::'],
    ['2001:db8::9', '2001:db8::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::1', '::'],
    ['198.51.100.1:8080', 'unknown'],
    ['nonsense', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ];
  for (const [ip, client] of cases) {
    test(`${ip} counts as ${client}`, () => {
      assert.equal(clientAddress(ip), client);
    });
  }
});

test('a message that another gateway sends has more time than the contacts need, one after the other', () => {
  const contacts = Array.from({ length: 100 }, (_, i) => 34600000000 + i);
  // As long as a session takes at most for one of them, and the pause before the next one.
  assert.ok(answerTimeout(message(NUMERO, contacts)) > contacts.length * (TIMINGS.send + TIMINGS.pause));
  assert.equal(answerTimeout(undefined), 60_000);
  // The other gateway refuses these, and has to have time for it; a timer of more than 2 ** 31 ms would not wait at all.
  assert.equal(answerTimeout(message(NUMERO, [])), 60_000);
  assert.equal(
    answerTimeout(message(NUMERO, Array(40_000).fill(contacts[0]))),
    answerTimeout(message(NUMERO, contacts)),
  );
});
