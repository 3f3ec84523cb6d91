import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { STATES, type WireHistoryEntry } from '../../src/wire.ts';
import { lastChange } from '../src/sessions/recall.ts';

const entry = (at: number, event: string, code?: string): WireHistoryEntry => ({
  at,
  event,
  state: STATES.disconnected,
  ...(code !== undefined && { detail: 'Por algo', code }),
});

describe('since when a session is as it is', () => {
  test('follows from its last change, whatever gateways and links have done since', () => {
    const fall = entry(1, 'disconnected', 'logged-out');
    const past = [
      entry(7, 'link_expired'),
      entry(6, 'disconnected'),
      entry(5, 'moved'),
      entry(4, 'disconnected'),
      entry(3, 'restored'),
      entry(2, 'link_created'),
      fall,
      entry(0, 'ready'),
    ];
    assert.equal(lastChange(past), fall);
  });

  test('is an end without a reason where that is what happened', () => {
    const end = entry(2, 'disconnected');
    assert.equal(lastChange([entry(3, 'restored'), end, entry(1, 'ready')]), end);
  });

  test('follows from a fall with a reason just after a restart', () => {
    const fall = entry(3, 'disconnected', 'logged-out');
    assert.equal(lastChange([fall, entry(2, 'restored'), entry(1, 'ready')]), fall);
  });

  test('follows from a change other than a fall just after a restart', () => {
    const code = entry(3, 'qr');
    assert.equal(lastChange([code, entry(2, 'restored'), entry(1, 'ready')]), code);
  });

  test('is not known without a history', () => {
    assert.equal(lastChange([]), undefined);
    assert.equal(lastChange([entry(2, 'disconnected'), entry(1, 'restored')]), undefined);
  });
});
