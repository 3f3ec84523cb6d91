import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RateLimit } from '../src/http/limits.ts';
import { clientAddress } from '../src/security/addresses.ts';

describe('a rate', () => {
  test('allows its burst at once, then its rate, and never accumulates more than the burst', () => {
    let now = 0;
    const limit = new RateLimit({ burst: 3, perSecond: 0.5 }, () => now);
    const take = (count: number) => {
      for (let i = 0; i < count; i += 1) {
        assert.equal(limit.wait('a'), 0);
        limit.count('a');
      }
    };
    take(3);
    assert.equal(limit.wait('a'), 2);
    assert.equal(limit.wait('b'), 0);
    now += 1_500;
    assert.equal(limit.wait('a'), 1);
    now += 500;
    take(1);
    assert.equal(limit.wait('a'), 2);
    now += 3_600_000;
    take(3);
    assert.equal(limit.wait('a'), 2);
  });

  test('drops the client that was seen longest ago when there are too many', () => {
    const limit = new RateLimit({ burst: 1, perSecond: 0.001 }, () => 0);
    for (let i = 0; i < 10_000; i += 1) limit.count(String(i));
    limit.count('0');
    limit.count('one more');
    assert.equal(limit.wait('1'), 0);
    assert.equal(limit.wait('0'), 1_000);
    assert.equal(limit.wait('2'), 1_000);
  });
});

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
