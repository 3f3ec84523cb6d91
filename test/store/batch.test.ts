import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { batch } from '../../src/observable.ts';
import { mockTimers } from '../support/mock-timers.ts';

const PERIOD_MS = 100;

beforeEach(() => mockTimers(mock, { apis: ['setTimeout'] }));
afterEach(() => mock.reset());

/** A batch, and what it has worked on: one array for each time. */
function collector() {
  const worked: string[][] = [];
  const collecting = batch<string>(
    (run) => setTimeout(run, PERIOD_MS),
    (items) => worked.push([...items]),
  );
  return { ...collecting, worked };
}

describe('a batch', () => {
  it('works once on all items that come until its time, each once', () => {
    const { add, worked } = collector();
    add('a');
    mock.timers.tick(PERIOD_MS / 2);
    for (const item of ['b', 'a', 'b']) add(item);
    assert.deepEqual(worked, []);
    mock.timers.tick(PERIOD_MS / 2);
    assert.deepEqual(worked, [['a', 'b']]);
    mock.timers.tick(PERIOD_MS);
    assert.deepEqual(worked, [['a', 'b']]);
    add('c');
    mock.timers.tick(PERIOD_MS);
    assert.deepEqual(worked, [['a', 'b'], ['c']]);
  });

  it('takes what its own work adds to the next time', () => {
    const worked: string[][] = [];
    const collecting = batch<string>(
      (run) => setTimeout(run, PERIOD_MS),
      (items) => {
        worked.push([...items]);
        if (items.has('a')) collecting.add('b');
      },
    );
    collecting.add('a');
    mock.timers.tick(PERIOD_MS);
    assert.deepEqual(worked, [['a']]);
    mock.timers.tick(PERIOD_MS);
    assert.deepEqual(worked, [['a'], ['b']]);
  });

  it('forgets its items and its time when it is cancelled', () => {
    const { add, cancel, worked } = collector();
    add('a');
    mock.timers.tick(PERIOD_MS / 2);
    cancel();
    add('b');
    mock.timers.tick(PERIOD_MS / 2);
    assert.deepEqual(worked, []);
    mock.timers.tick(PERIOD_MS / 2);
    assert.deepEqual(worked, [['b']]);
  });
});
