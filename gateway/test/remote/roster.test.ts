import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { MOST_SESSIONS } from '../../src/engines/remote/limits.ts';
import { Roster } from '../../src/engines/remote/roster.ts';
import type { ListedSession } from '../../src/engines/remote/server.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { createLogger } from '../../src/log.ts';
import { idleServer } from './idle-server.ts';

const NUMERO = '34600000001';
const FIRST = 34_600_000_000;

/** The roster of a server that does nothing but what the test says, and how often a change came untold. */
async function open(t: TestContext) {
  const store = await openLedger(temporaryFolder(t), () => {});
  const told = { untold: 0 };
  const options = {
    held: async () => [],
    untold: () => {
      told.untold += 1;
    },
    log: createLogger('silent'),
  };
  const roster = new Roster(idleServer(), store, () => () => {}, options);
  t.after(() => {
    roster.close();
    return store.close();
  });
  const compare = (sessions: readonly ListedSession[]) => {
    roster.asked();
    return roster.compare(sessions);
  };
  return { roster, store, told, compare };
}

const session = (name: string, account: ListedSession['account'] = {}): ListedSession => ({
  name,
  status: 'connected',
  account,
});

test('what is kept of a session stays while there are too many, wherever the server lists it', async (t) => {
  const { store, compare } = await open(t);
  const most = Array.from({ length: MOST_SESSIONS + 1 }, (_, place) => session(String(FIRST + place)));
  await store.addAll(most.map(({ name }) => name));
  for (let times = 0; times < 3; times++) await compare(most);
  assert.equal(store.sessions().length, MOST_SESSIONS + 1);
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
  const { roster, told, compare } = await open(t);
  const wrong = session(NUMERO, { digits: '34600000009' });
  for (let times = 0; times < 5; times++) await compare([wrong]);
  assert.equal(roster.get(NUMERO)?.isDown, true);
  assert.equal(told.untold, 0);
  await compare([session(NUMERO, { digits: NUMERO })]);
  assert.equal(told.untold, 1);
});
