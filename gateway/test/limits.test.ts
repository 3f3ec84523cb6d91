import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientAddress } from '../src/security/addresses.ts';

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
