import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { joined, settled } from './support.ts';

const session: Session = { numero: '1', state: 'CONNECTED', waiting: false };

describe('the history of the connection', () => {
  it('has no loss of a connection that never was, and no return', async () => {
    const { store, listener } = await joined([session]);
    listener.connection(false);
    listener.connection(true);
    await settled();
    assert.deepEqual(store.connectionHistory(), []);
  });

  it('has each loss and each return', async () => {
    const { store, listener } = await joined([session]);
    for (const connected of [true, false, false, true]) listener.connection(connected);
    await settled();
    assert.deepEqual(
      store.connectionHistory().map(({ what }) => what),
      ['lost', 'back'],
    );
  });
});
