import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOf } from '../../src/cluster/balance.ts';

const ANY = Number.POSITIVE_INFINITY;

const cases: [total: number, capacities: number[], share: number][] = [
  [0, [ANY, ANY], 0],
  [30, [ANY, ANY, ANY], 10],
  [31, [ANY, ANY, ANY], 11],
  [2, [ANY, ANY, ANY], 1],
  // What the small one leaves is the others'.
  [30, [4, ANY, ANY], 13],
  [30, [ANY, 4, 10], 16],
  [30, [10, 10, 10], 10],
  // Not room for all.
  [30, [4, 7], 7],
  [30, [], 0],
];
for (const [total, capacities, share] of cases) {
  test(`of ${total} sessions gateways with room for ${capacities.join(', ') || 'none'} own up to ${share}`, () => {
    assert.equal(shareOf(total, capacities), share);
  });
}
