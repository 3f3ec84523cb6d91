import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { SharedStorage } from '../../src/engines/whatsapp/shared-storage.ts';
import { NUMERO, OTHER, startLab } from './support/lab.ts';

const skip =
  Number.parseInt(process.versions.node, 10) >= 24 && 'promises carry one value, whatever there is';

test('sessions and their reconnections use no storage of their own, which each promise would carry along', {
  skip,
}, async (t) => {
  const used = new Set<unknown>();
  const { run } = AsyncLocalStorage.prototype;
  t.mock.method(
    AsyncLocalStorage.prototype,
    'run',
    function (this: unknown, ...args: Parameters<typeof run>) {
      used.add(this);
      return Reflect.apply(run, this, args);
    },
  );
  const lab = await startLab(t);
  await lab.link(NUMERO);
  await lab.send([OTHER]);
  const before = used.size;

  await lab.link(OTHER);
  for (let count = 1; count <= 3; count += 1) {
    lab.whatsapp.phone(NUMERO).cutLine();
    await until(() => lab.whatsapp.phone(NUMERO).logins === 1 + count, 'the next login');
    await lab.state(STATES.connected);
    assert.equal((await lab.send([OTHER])).status, 200);
  }

  assert.equal(used.size, before);
});

test('shared storages hold a value each, across awaits, and the innermost counts', async () => {
  const one = new SharedStorage<string>();
  const other = new SharedStorage<string>();
  const values = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return [one.getStore(), other.getStore()];
  };

  assert.deepEqual(await values(), [undefined, undefined]);
  assert.deepEqual(await one.run('a', values), ['a', undefined]);
  assert.deepEqual(await one.run('a', () => other.run('b', values)), ['a', 'b']);
  assert.deepEqual(await one.run('a', () => other.run('b', () => one.run('c', values))), ['c', 'b']);
  assert.deepEqual(await Promise.all([one.run('a', values), one.run('b', values)]), [
    ['a', undefined],
    ['b', undefined],
  ]);
});
