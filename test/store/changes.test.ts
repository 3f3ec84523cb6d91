import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { createSessionMap } from '../../src/session/session-map.ts';

const numero = '5491155550001';

let stop = () => {};
// Its timers would keep the clock that other tests share.
afterEach(() => stop());

/** The sessions of a panel with one that is CONNECTED, and for each change what of it is another object. */
function panel() {
  const sessions = createSessionMap();
  stop = sessions.stop;
  const changed: string[] = [];
  sessions.configure({ areDetailsShown: true });
  const details = { label: 'Ventas', quota: { used: 1, total: 9 } };
  sessions.replace([{ session: { numero, state: 'CONNECTED', waiting: false }, details }], []);
  sessions.changes.add(({ before, now }) => {
    const names = (['session', 'details', 'status'] as const).filter(
      (name) => before?.[name] !== now?.[name],
    );
    changed.push(names.join(' '));
  });
  return { ...sessions, changed };
}

describe('what a change leaves as it was is the same object, so that who shows nothing else can skip it', () => {
  it('a test message changes neither the session nor its details nor its status', () => {
    const { dispatch, changed } = panel();
    dispatch({ type: 'sent', numero, to: '1', message: { id: 'A1', status: 'accepted', at: 0 } });
    dispatch({ type: 'ack', numero, id: 'A1', status: 'device', at: 1 });
    dispatch({ type: 'notSent', numero, error: 'no', isFailure: false });
    dispatch({ type: 'sent', numero, to: '1', message: undefined });
    assert.deepEqual(changed, ['', '', '', '']);
  });

  it('one that failed changes the status, and so does the next one that does not', () => {
    const { dispatch, changed } = panel();
    dispatch({ type: 'notSent', numero, error: 'no', isFailure: true });
    dispatch({ type: 'sent', numero, to: '1', message: undefined });
    assert.deepEqual(changed, ['status', 'status']);
  });

  it('other details change nothing else', () => {
    const { dispatch, changed } = panel();
    dispatch({ type: 'details', numero, change: { quota: { used: 2, total: 9 } }, at: 1 });
    assert.deepEqual(changed, ['details']);
  });

  it('a state that is pushed again is another session, of the same status', () => {
    const { dispatch, changed } = panel();
    dispatch({ type: 'ready', numero, at: 1 });
    assert.deepEqual(changed, ['session']);
  });

  it('what cannot be seen is no change', () => {
    const { dispatch, replace, changed, get } = panel();
    const details = { label: 'Ventas', quota: { used: 1, total: 9 } };
    replace([{ session: { numero, state: 'CONNECTED', waiting: false }, details }], []);
    dispatch({ type: 'tick', numero });
    dispatch({ type: 'closing', numero });
    const closing = get(numero);
    dispatch({ type: 'disconnected', numero, at: 1 });
    assert.equal(changed.length, 1);
    assert.equal(get(numero)?.status, closing?.status);
  });
});
