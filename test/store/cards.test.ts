import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createCards } from '../../src/context/cards.ts';
import type { Session } from '../../src/session/session.ts';
import { mockTimers } from '../support/mock-timers.ts';
import { closeStores, joined } from './support.ts';

const one: Session = { numero: '1', state: 'CONNECTED', waiting: false };
const two: Session = { numero: '2', state: 'CONNECTED', waiting: false };

/** The cards of two sessions, the first of which is near the screen. */
async function cardsOf() {
  const { store, listener } = await joined([one, two]);
  mockTimers(mock, { apis: ['setTimeout'] });
  const scheduled: (() => void)[] = [];
  const schedule = (work: () => void) => scheduled.push(work);
  Object.assign(globalThis, {
    document: { hidden: false },
    requestAnimationFrame: schedule,
    IntersectionObserver: class {},
  });
  mock.method(globalThis, 'queueMicrotask', schedule);
  const cards = createCards(store, () => false);
  const stop = cards.follow();
  cards.update('1', { outline: false });
  const shown = new Map<string, string | undefined>();
  for (const numero of ['1', '2']) {
    const show = () => shown.set(numero, store.get(numero)?.session.state);
    show();
    cards.subscribe(numero, show);
  }
  const stateOf = (numero: string) => shown.get(numero);
  const drawFrame = () => {
    for (const show of scheduled.splice(0)) show();
  };
  return { store, listener, cards, stop, stateOf, drawFrame };
}

beforeEach(() => mock.reset());
afterEach(() => {
  mock.reset();
  for (const name of ['document', 'requestAnimationFrame', 'IntersectionObserver'])
    Reflect.deleteProperty(globalThis, name);
  closeStores();
});

describe('the cards', () => {
  it('show changes near the screen in the next frame, and those of outlines ten times per second', async () => {
    const { listener, stateOf, drawFrame } = await cardsOf();
    for (const numero of ['1', '2']) {
      assert.equal(stateOf(numero), 'CONNECTED');
      listener.push({ type: 'change_state', numero, state: 'OPENING' });
    }
    assert.deepEqual([stateOf('1'), stateOf('2')], ['CONNECTED', 'CONNECTED']);
    drawFrame();
    assert.deepEqual([stateOf('1'), stateOf('2')], ['OPENING', 'CONNECTED']);
    mock.timers.tick(100);
    assert.deepEqual([stateOf('1'), stateOf('2')], ['OPENING', 'OPENING']);
  });

  it('notify once of changes in a row', async () => {
    const { listener, cards, stateOf, drawFrame } = await cardsOf();
    const notified = mock.fn();
    for (const numero of ['1', '2']) cards.subscribe(numero, () => notified(numero));
    for (const state of ['OPENING', 'PAIRING', 'TIMEOUT'])
      for (const numero of ['1', '2']) listener.push({ type: 'change_state', numero, state });
    drawFrame();
    mock.timers.tick(100);
    assert.deepEqual(
      notified.mock.calls.map(({ arguments: [numero] }) => numero),
      ['1', '2'],
    );
    assert.equal(stateOf('2'), 'TIMEOUT');
  });

  it('forget what the operator has opened when the session goes', async () => {
    const { store, cards, drawFrame } = await cardsOf();
    cards.update('1', { opened: true, editing: 'label' });
    await store.delete('1');
    drawFrame();
    assert.equal(store.get('1'), undefined);
    cards.update('1', { opened: true });
    await store.up('1');
    const { opened, editing, outline } = cards.get('1');
    assert.equal(store.get('1')?.session.numero, '1');
    assert.deepEqual([opened, editing, outline], [false, undefined, true]);
  });

  it('show what has changed while they did not follow', async () => {
    const { listener, cards, stop, stateOf } = await cardsOf();
    stop();
    listener.push({ type: 'change_state', numero: '1', state: 'OPENING' });
    assert.equal(stateOf('1'), 'CONNECTED');
    cards.follow();
    assert.equal(stateOf('1'), 'OPENING');
  });

  it('notify of a session that is deleted, and added again in the next frame', async () => {
    const { listener, cards, stateOf, drawFrame } = await cardsOf();
    listener.extensions(new Set(['presence']));
    const shown: (string | undefined)[] = [];
    cards.subscribe('1', () => shown.push(stateOf('1')));
    listener.push({ type: 'deleted', numero: '1' });
    drawFrame();
    listener.push({ type: 'created', numero: '1', session: one, details: {} });
    drawFrame();
    mock.timers.tick(100);
    assert.deepEqual(shown, [undefined, 'CONNECTED']);
  });
});
