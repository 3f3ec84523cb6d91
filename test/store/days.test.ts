import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { daysOf, stabilityOn } from '../../src/session/days.ts';

const MINUTE = 60_000;
/** A moment by the browser's clock. */
const at = (text: string) => new Date(text).getTime();
const fell = (text: string) => ({ at: at(text), state: 'DESCONECTADO', code: 'logged-out' });
const ready = (text: string) => ({ at: at(text), state: 'CONNECTED' });

/** What is told of the days that the history covers: date, drops and minutes away. */
const told = (entries: Parameters<typeof daysOf>[0], now: string) =>
  daysOf(entries, at(now)).flatMap(({ begin, drops, away }) =>
    drops === undefined ? [] : `${new Date(begin).getDate()}: ${drops}, ${away / MINUTE}`,
  );

describe('the days of a history', () => {
  const zone = process.env.TZ;
  beforeEach(() => {
    process.env.TZ = 'America/New_York';
  });
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  it('are thirty, today last, of which only those count that it covers', () => {
    const days = daysOf([ready('2026-11-25T10:00')], at('2026-11-26T12:00'));
    assert.equal(days.length, 30);
    assert.equal(days[29]?.begin, at('2026-11-26T00:00'));
    assert.equal(days[0]?.begin, at('2026-10-28T00:00'));
    assert.deepEqual(
      days.map(({ drops }) => drops).filter((drops) => drops !== undefined),
      [0, 0],
    );
    assert.deepEqual(stabilityOn(days), { days: 2, drops: 0, away: 0 });
    assert.equal(stabilityOn(daysOf([], at('2026-11-26T12:00'))), undefined);
  });

  it('share an outage over midnight, which is one drop', () => {
    const entries = [ready('2026-11-26T00:10'), fell('2026-11-25T23:50'), ready('2026-11-24T08:00')];
    assert.deepEqual(told(entries, '2026-11-26T12:00'), ['24: 0, 0', '25: 1, 10', '26: 0, 10']);
    assert.deepEqual(stabilityOn(daysOf(entries, at('2026-11-26T12:00'))), {
      days: 3,
      drops: 1,
      away: 20 * MINUTE,
    });
  });

  it('have an outage that lasts until now, and several of one day', () => {
    const entries = [
      fell('2026-11-26T11:30'),
      ready('2026-11-26T09:05'),
      fell('2026-11-26T09:00'),
      ready('2026-11-26T08:00'),
    ];
    assert.deepEqual(told(entries, '2026-11-26T12:00'), ['26: 2, 35']);
  });

  it('are as long as the clocks make them', () => {
    // On 1 November 2026, New York has 25 hours.
    const entries = [ready('2026-11-02T00:00'), fell('2026-11-01T00:00'), ready('2026-10-31T12:00')];
    assert.deepEqual(told(entries, '2026-11-02T12:00'), ['31: 0, 0', '1: 1, 1500', '2: 0, 0']);
  });
});
