import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireHistoryEntry } from '../../src/wire.ts';
import { stabilityOf } from '../src/sessions/stability.ts';

const DAY = 24 * 60 * 60_000;
const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

const up = (ago: number): WireHistoryEntry => ({ at: NOW - ago, event: 'ready', state: STATES.connected });
const down = (ago: number, code = 'connection-lost'): WireHistoryEntry => ({
  at: NOW - ago,
  event: 'change_state',
  state: 'OPENING',
  code,
});

describe('the stability of a session', () => {
  test('is unknown without a history, and for one that has not dropped', () => {
    assert.equal(stabilityOf([], NOW), undefined);
    assert.equal(stabilityOf([up(DAY)], NOW), undefined);
  });

  test('counts drops and the time until it is connected again', () => {
    const entries = [
      up(55 * MINUTE),
      down(60 * MINUTE),
      up(2 * DAY - 10 * MINUTE),
      down(2 * DAY),
      up(3 * DAY),
    ];
    assert.deepEqual(stabilityOf(entries, NOW), { days: 3, drops: 2, away: 15 * MINUTE });
  });

  test('counts one drop, whatever the reason turns into', () => {
    const entries = [up(10 * MINUTE), down(15 * MINUTE, 'unreachable'), down(20 * MINUTE), up(DAY)];
    assert.deepEqual(stabilityOf(entries, NOW), { days: 1, drops: 1, away: 10 * MINUTE });
  });

  test('goes on counting while it is down, until somebody unlinks it', () => {
    assert.deepEqual(stabilityOf([down(MINUTE), up(DAY)], NOW), { days: 1, drops: 1, away: MINUTE });
    const unlinked = { ...down(MINUTE, 'unlinked'), state: STATES.disconnected };
    assert.deepEqual(stabilityOf([unlinked, down(3 * MINUTE), up(DAY)], NOW), {
      days: 1,
      drops: 1,
      away: 2 * MINUTE,
    });
  });

  test('is not lowered by what an operator asked for', () => {
    const entries = [up(MINUTE), { ...down(2 * MINUTE, 'unlinked'), state: STATES.disconnected }, up(DAY)];
    assert.equal(stabilityOf(entries, NOW), undefined);
  });

  test('has no drop of a session that was not connected', () => {
    const started = { at: NOW - DAY, event: 'started', state: STATES.authenticating };
    assert.equal(stabilityOf([down(MINUTE, 'unreachable'), started], NOW), undefined);
    assert.equal(stabilityOf([down(MINUTE, 'unreachable'), started, up(2 * DAY)], NOW), undefined);
  });

  test('counts what happened while the gateway was down', () => {
    const restored = { at: NOW - MINUTE, event: 'restored', state: STATES.authenticating };
    const entries = [down(MINUTE, 'device-removed'), restored, up(2 * DAY)];
    assert.equal(stabilityOf(entries, NOW)?.drops, 1);
  });

  test('covers thirty days: of an outage that began before, only the rest', () => {
    const entries = [up(29 * DAY), down(31 * DAY), up(40 * DAY)];
    assert.deepEqual(stabilityOf(entries, NOW), { days: 30, drops: 0, away: DAY });
    assert.equal(stabilityOf([up(31 * DAY), down(32 * DAY), up(40 * DAY)], NOW), undefined);
  });

  test('has no negative times after the clock was set back', () => {
    const stability = stabilityOf([down(-5 * MINUTE), up(DAY)], NOW);
    assert.deepEqual(stability, { days: 1, drops: 1, away: 0 });
  });
});
