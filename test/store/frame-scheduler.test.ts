import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createFrameScheduler, type FrameScheduler, Listeners } from '../../src/observable.ts';
import { mockTimers } from '../support/mock-timers.ts';

let frames: (() => void)[] = [];
const page = { hidden: false };

/** Draws a frame, as a browser does: those who asked for it during another wait for the next. */
function drawFrame(): void {
  const due = frames;
  frames = [];
  for (const draw of due) draw();
}

beforeEach(() => {
  mockTimers(mock, { apis: ['setTimeout'] });
  frames = [];
  page.hidden = false;
  Object.assign(globalThis, {
    document: page,
    requestAnimationFrame: (draw: () => void) => frames.push(draw),
  });
});
afterEach(() => {
  mock.reset();
  Reflect.deleteProperty(globalThis, 'document');
  Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
});

/** A subscriber that counts how often it is notified of changes. */
function subscriber(scheduler: FrameScheduler, changes = new Listeners()) {
  const listener = mock.fn();
  const stop = scheduler.subscribe((changed) => changes.add(changed), listener);
  return { change: () => changes.call(), count: () => listener.mock.callCount(), stop };
}

describe('the subscribers of a frame scheduler', () => {
  it('hear of the first change at once, and of those that follow in the next frame', async () => {
    const { change, count } = subscriber(createFrameScheduler());
    change();
    await Promise.resolve();
    assert.equal(count(), 1);
    for (let time = 0; time < 5; time += 1) change();
    await Promise.resolve();
    assert.equal(count(), 1);
    drawFrame();
    assert.equal(count(), 2);
  });

  it('hear of nothing once they have left', async () => {
    const { change, count, stop } = subscriber(createFrameScheduler());
    change();
    stop();
    await Promise.resolve();
    assert.equal(count(), 0);
  });

  it('hear of a change though another one throws', async () => {
    const log = mock.method(console, 'error', () => {});
    const scheduler = createFrameScheduler();
    const changes = new Listeners();
    scheduler.subscribe(
      (changed) => changes.add(changed),
      () => {
        throw new Error('broken');
      },
    );
    const { change, count } = subscriber(scheduler, changes);
    change();
    await Promise.resolve();
    assert.equal(count(), 1);
    assert.equal(log.mock.callCount(), 1);
  });

  it('hear of a change on a hidden page, which draws no frame', () => {
    page.hidden = true;
    const { change, count } = subscriber(createFrameScheduler());
    change();
    mock.timers.tick(0);
    assert.equal(count(), 1);
  });
});
