import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { batch, createObservableMap, onceAFrame } from '../../src/observable.ts';
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

/** What is shown, whose subscribers are notified once a frame. */
function createShown() {
  const shown = createObservableMap<object>({});
  const changes = batch<string>(onceAFrame(), (keys) => {
    for (const key of keys) shown.call(key);
  });
  return { shown, change: () => changes.add('1') };
}

/** Counts how often a subscriber is notified of changes. */
function subscriber({ shown, change }: ReturnType<typeof createShown>) {
  const listener = mock.fn();
  const stop = shown.subscribe('1', listener);
  return { change, count: () => listener.mock.callCount(), stop };
}

describe('the subscribers of what is shown once a frame', () => {
  it('hear of the first change at once, and of those that follow in the next frame', async () => {
    const { change, count } = subscriber(createShown());
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
    const { change, count, stop } = subscriber(createShown());
    change();
    stop();
    await Promise.resolve();
    assert.equal(count(), 0);
  });

  it('hear of a change though another one throws', async () => {
    const log = mock.method(console, 'error', () => {});
    const all = createShown();
    all.shown.subscribe('1', () => {
      throw new Error('broken');
    });
    const { change, count } = subscriber(all);
    change();
    await Promise.resolve();
    assert.equal(count(), 1);
    assert.equal(log.mock.callCount(), 1);
  });

  it('hear of a change on a hidden page, which draws no frame', () => {
    page.hidden = true;
    const { change, count } = subscriber(createShown());
    change();
    mock.timers.tick(0);
    assert.equal(count(), 1);
  });
});
