import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { Reconciler } from '../../src/engines/remote/reconciler.ts';
import type { ListedSession } from '../../src/engines/remote/server.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { createLogger } from '../../src/log.ts';
import { idleServer } from './idle-server.ts';

const NUMERO = '34600000001';

/** The reconciler of a server that does nothing but what the test says, and how many changes were not reported. */
async function open(t: TestContext) {
  const store = await openLedger(temporaryFolder(), () => {});
  const changes = { unreported: 0 };
  const options = {
    appear: () => () => {},
    held: async () => [],
    onUnreported: () => {
      changes.unreported += 1;
    },
    log: createLogger('silent'),
  };
  const reconciler = new Reconciler(idleServer(), store, options);
  t.after(() => {
    reconciler.close();
    return store.close();
  });
  const compare = (sessions: readonly ListedSession[]) => {
    reconciler.asked();
    return reconciler.compare(sessions);
  };
  return { reconciler, store, changes, compare };
}

const session = (name: string, account: ListedSession['account'] = {}): ListedSession => ({
  name,
  status: 'connected',
  account,
});

test('what is kept of a session that two lists lack is removed', async (t) => {
  const { store, compare } = await open(t);
  await compare([session(NUMERO)]);
  await compare([]);
  assert.equal(store.sessions().length, 1);
  await compare([]);
  assert.equal(store.sessions().length, 0);
});

test('a phone of another number is no change at each list', async (t) => {
  const { reconciler, changes, compare } = await open(t);
  const wrong = session(NUMERO, { digits: '34600000009' });
  for (let times = 0; times < 5; times++) await compare([wrong]);
  assert.equal(reconciler.get(NUMERO)?.isDown, true);
  assert.equal(changes.unreported, 0);
  await compare([session(NUMERO, { digits: NUMERO })]);
  assert.equal(changes.unreported, 1);
});
