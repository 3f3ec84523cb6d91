import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import { RemoteEngine } from '../../src/engines/remote/engine.ts';
import { RemoteError } from '../../src/engines/remote/errors.ts';
import type { ListedSession, RemoteServer } from '../../src/engines/remote/server.ts';
import { openLedger } from '../../src/ledger/sqlite.ts';
import { StoreError } from '../../src/ledger/store-error.ts';
import { createLogger } from '../../src/log.ts';
import { idleServer } from './idle-server.ts';

const NUMERO = '34600000001';

/** An engine whose server goes on listing one connected session, and counts how often it is asked for the list. */
async function open(t: TestContext, allowDelete: boolean, calls: Partial<RemoteServer> = {}) {
  const store = await openLedger(temporaryFolder(), () => {});
  const seen = {
    lists: 0,
    appeared: 0,
    list: async (): Promise<ListedSession[]> => [
      { name: NUMERO, status: 'connected', account: { digits: NUMERO } },
    ],
  };
  const server = idleServer({
    list: () => {
      seen.lists += 1;
      return seen.list();
    },
    ...calls,
  });
  const options = { allowDelete, held: async () => [], timings: { alone: 5 } };
  const engine = new RemoteEngine(server, async () => store, options, createLogger('silent'));
  t.after(() => engine.close());
  await engine.restore(() => {
    seen.appeared += 1;
    return () => {};
  });
  return { engine, store, seen };
}

test('a session that the store cannot take off the list stays as it is', async (t) => {
  const { engine, store } = await open(t, false);
  t.mock.method(store, 'unlist', async () => {
    throw new StoreError('erase', NUMERO, 'SQLITE_IOERR');
  });
  await assert.rejects(engine.remove(NUMERO), StoreError);
  assert.equal(await engine.send(NUMERO, '34600000002', 'Hola', () => {}), 'sent');
});

test('a session does not come back while the store removes it, although the server still lists it', async (t) => {
  const { engine, store, seen } = await open(t, true);
  const remove = store.remove.bind(store);
  t.mock.method(store, 'remove', async (numero: string) => {
    await remove(numero);
    const before = seen.lists;
    await until(() => seen.lists > before + 2, 'two more lists');
  });
  await engine.remove(NUMERO);
  assert.deepEqual(store.sessions(), []);
  assert.equal(seen.appeared, 1);
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('probes', () => {
  test('that hang run a few at a time, and those that wait too long are no finding', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const hanging: ((error: Error) => void)[] = [];
    const { engine } = await open(t, false, {
      find: () => new Promise((_resolve, reject) => hanging.push(reject)),
    });
    const probes = Array.from({ length: 10 }, () => engine.probe(NUMERO));
    await settled();
    assert.equal(hanging.length, 3);
    now = 14_000;
    for (const reject of hanging) reject(new RemoteError('unreachable', 'The server', 'TimeoutError'));
    await settled();
    assert.equal(hanging.length, 6);
    now = 28_000;
    for (const reject of hanging) reject(new RemoteError('unreachable', 'The server', 'TimeoutError'));
    assert.deepEqual(await Promise.all(probes), [...Array(6).fill(false), ...Array(4).fill(undefined)]);
    assert.equal(hanging.length, 6);
  });

  test('that hang like the whole server are no finding', async (t) => {
    let isUp = true;
    const fail = () => Promise.reject(new RemoteError('unreachable', 'The server', 'TimeoutError'));
    const { engine, seen } = await open(t, false, { find: fail });
    assert.equal(await engine.probe(NUMERO), false);
    seen.list = () => {
      isUp = false;
      return fail();
    };
    await until(() => !isUp, 'a list that fails');
    assert.equal(await engine.probe(NUMERO), undefined);
  });
});
