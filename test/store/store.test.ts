import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isStarting } from '../../src/session/record.ts';
import type { Session } from '../../src/session/session.ts';
import { closeStores, joined, settled, watch } from './support.ts';

afterEach(closeStores);

const one: Session = { numero: '1', state: 'CONNECTED', waiting: false };
const two: Session = { numero: '2', state: 'CONNECTED', waiting: false };

describe('the store', () => {
  it('notifies one card of a push, and not the panel', async () => {
    const { store, listener } = await joined([one, two]);
    const first = store.get('1');
    const woken: string[] = [];
    store.snapshot.subscribe(() => woken.push('panel'));
    watch(store, '1', () => woken.push('1'));
    watch(store, '2', () => woken.push('2'));
    listener.push({ type: 'change_state', numero: '2', state: 'OPENING' });
    assert.deepEqual(woken, ['2']);
    assert.equal(store.get('1'), first);
    assert.deepEqual(store.get('2')?.session, { ...two, state: 'OPENING' });
  });

  it('keeps the order of the list, and the same array of numeros while none comes or goes', async () => {
    const { store, listener } = await joined([one, two]);
    const numeros = store.numeros.get();
    listener.push({ type: 'disconnected', numero: '1' });
    await store.up('1');
    assert.equal(store.numeros.get(), numeros);
    await store.up('3');
    assert.deepEqual(store.numeros.get(), ['1', '2', '3']);
    await store.delete('1');
    assert.deepEqual(store.numeros.get(), ['2', '3']);
  });

  it('notifies a card of a start that is asked for and answered, whatever the card waits for meanwhile', async () => {
    const code = (qrCode: string) => ({ type: 'qr', numero: '1', qrCode }) as const;
    let answer = (_: string) => {};
    const start = () => new Promise<string>((resolve) => (answer = resolve));
    const { store, listener } = await joined([{ ...one, state: 'OPENING' }], { start });
    // The life of a later code ends before the answer is due.
    listener.push(code('2@1'));
    listener.push(code('2@2'));
    const seen: unknown[] = [];
    const look = () => {
      const record = store.get('1');
      return record && isStarting(record);
    };
    watch(store, '1', () => seen.push(look()));
    const up = store.up('1');
    await settled();
    assert.deepEqual(seen, [true]);
    answer('1');
    await up;
    assert.deepEqual(seen.slice(0, 2), [true, false]);
  });

  it('calls no removed listener', async () => {
    const { store, listener } = await joined([one]);
    let calls = 0;
    const stop = watch(store, '1', () => {
      calls += 1;
    });
    stop();
    listener.push({ type: 'disconnected', numero: '1' });
    assert.equal(calls, 0);
  });
});
