import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { Codes } from '../../src/engines/whatsapp/codes.ts';

/** Shows codes until there are enough; returns when each one ends, and the last one, in seconds from the first. */
function ends(life?: number): [one: number, all: number][] {
  const codes = new Codes(life);
  const told: [number, number][] = [];
  while (codes.add(told.length === 0)) {
    told.push([codes.expires / 1_000, codes.end / 1_000]);
    mock.timers.setTime(codes.expires);
  }
  return told;
}

describe('the codes of a start', () => {
  test('live as in WhatsApp Web: the first for 60 seconds, each other for 20', (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['Date'], now: 0 });
    assert.deepEqual(
      ends(),
      [60, 80, 100, 120, 140, 160].map((end) => [end, 160]),
    );
  });

  test('live as long as is configured', (t) => {
    t.after(() => mock.timers.reset());
    mock.timers.enable({ apis: ['Date'], now: 0 });
    assert.deepEqual(
      ends(30_000),
      [30, 60, 90, 120, 150, 180].map((end) => [end, 180]),
    );
  });
});
