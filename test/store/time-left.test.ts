import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inMinutes, secondsUntil } from '../../src/texts/moments.ts';

describe('the time that is left', () => {
  it('is counted in seconds that have begun, and ends at 0', () => {
    assert.deepEqual(
      [61_000, 60_001, 1, 0, -5_000].map((left) => secondsUntil(10_000 + left, 10_000)),
      [61, 61, 1, 0, 0],
    );
  });

  it('is told in minutes and seconds', () => {
    assert.deepEqual([0, 9, 65, 600].map(inMinutes), ['0:00', '0:09', '1:05', '10:00']);
  });
});
