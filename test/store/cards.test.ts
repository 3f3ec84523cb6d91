import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { Cards } from '../../src/context/cards.ts';
import { createFrameScheduler } from '../../src/observable.ts';
import type { Session } from '../../src/session/session.ts';
import { mockTimers } from '../support/mock-timers.ts';
import { closeStores, joined } from './support.ts';

const one: Session = { numero: '1', state: 'CONNECTED', waiting: false };
const two: Session = { numero: '2', state: 'CONNECTED', waiting: false };

/** The cards of two sessions, the first of which is near the screen. */
async function cardsOf() {
  const { store, listener } = await joined([one, two]);
  const scheduler = createFrameScheduler();
  const scheduled: (() => void)[] = [];
  mock.method(scheduler, 'schedule', (show: () => void) => scheduled.push(show));
  mockTimers(mock, { apis: ['setTimeout'] });
  const cards = new Cards(store, scheduler);
  const stop = cards.follow();
  cards.update('1', { outline: false });
  const stateOf = (numero: string) => cards.get(numero).record?.session.state;
  const drawFrame = () => {
    for (const show of scheduled.splice(0)) show();
  };
  return { store, listener, cards, stop, stateOf, drawFrame };
}

beforeEach(() => mock.reset());
afterEach(() => {
  mock.reset();
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
    assert.equal(cards.get('1').record, undefined);
    cards.update('1', { opened: true });
    await store.up('1');
    const { record, opened, editing, outline } = cards.get('1');
    assert.deepEqual([record?.session.numero, opened, editing, outline], ['1', false, undefined, true]);
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
