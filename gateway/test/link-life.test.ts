import assert from 'node:assert/strict';
import { beforeEach, describe, type TestContext, test } from 'node:test';
import { STATES } from '../../src/wire.ts';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { SimulatedPhones } from '../src/engines/simulated/phones.ts';
import type { StoredLink } from '../src/ledger/archive.ts';
import { StoreError } from '../src/ledger/store-error.ts';
import { tokenHash } from '../src/sessions/links.ts';
import type { Registry } from '../src/sessions/registry.ts';
import type { Push } from '../src/sessions/transitions.ts';
import { ManualClock } from './support/manual-clock.ts';
import { MemoryLedger } from './support/memory-ledger.ts';
import { createRegistry } from './support/registry.ts';

const NUMERO = '5215550001111';
const OTHER = '34600000001';
const TEN_MINUTES = 600_000;

/** An archive whose links cannot be written for a while. */
class FailingArchive extends MemoryLedger {
  isBroken = false;

  override async setLink(numero: string, link: StoredLink | undefined): Promise<void> {
    if (this.isBroken) throw new StoreError('write-archive', numero, 'SQLITE_FULL');
    await super.setLink(numero, link);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a link', () => {
  let archive: FailingArchive;
  /** What the gateway that was started last has pushed since. */
  let pushes: () => Push[];

  /** Starts a gateway's sessions, the first of which shows a code. */
  async function start(): Promise<Registry> {
    const added = [NUMERO, OTHER].filter((numero) => !archive.has(numero));
    const seeds = added.map((numero) => ({ numero, state: 'qr' }) as const);
    const own: Push[] = [];
    const manager = createRegistry(
      new SimulatedPhones(new ManualClock(), async () => archive, seeds),
      archive,
      (push) => own.push(push),
    );
    await manager.restore();
    const mark = own.length;
    pushes = () => own.slice(mark);
    return manager;
  }

  const pass = async (t: TestContext, ms: number) => {
    t.mock.timers.tick(ms);
    await turn();
  };
  const changes = () => pushes().flatMap((push) => (push.event === 'details' ? [push.change] : []));

  beforeEach((t) => {
    assert.ok('mock' in t);
    mockTimers(t.mock, { apis: ['Date', 'setTimeout'], now: Date.now() });
    archive = new FailingArchive();
  });

  test('is over after ten minutes, and not before', async (t) => {
    const manager = await start();
    const { id, token, expires } = await manager.createLink(NUMERO);
    assert.equal(expires, Date.now() + TEN_MINUTES);
    await pass(t, TEN_MINUTES - 1);
    assert.equal(await manager.linked(tokenHash(token)), NUMERO);
    assert.deepEqual(manager.get(NUMERO)?.link, { id, expires });
    await pass(t, 1);
    assert.equal(await manager.linked(tokenHash(token)), undefined);
    assert.equal(archive.link(NUMERO), undefined);
    assert.deepEqual(changes(), [{ link: { id, expires } }, { link: null }]);
    const events = manager.history(NUMERO, 2);
    // It is written a moment later.
    let isWritten = false;
    void events.then(() => {
      isWritten = true;
    });
    while (!isWritten) await pass(t, 10);
    assert.deepEqual(
      (await events).map(({ event }) => event),
      ['link_expired', 'link_created'],
    );
  });

  test('is over after ten minutes although the clock is set back', async (t) => {
    const manager = await start();
    const { token } = await manager.createLink(NUMERO);
    const now = Date.now.bind(Date);
    t.mock.method(Date, 'now', () => now() - 24 * 6 * TEN_MINUTES);
    await manager.describe(NUMERO, { label: 'Ventas' });
    await pass(t, TEN_MINUTES - 1);
    assert.equal(await manager.linked(tokenHash(token)), NUMERO);
    await pass(t, 1);
    assert.equal(await manager.linked(tokenHash(token)), undefined);
  });

  test('created in place of another one has ten minutes of its own', async (t) => {
    const manager = await start();
    const first = await manager.createLink(NUMERO);
    await pass(t, TEN_MINUTES - 1);
    const second = await manager.createLink(NUMERO);
    assert.notEqual(first.token, second.token);
    assert.notEqual(first.id, second.id);
    assert.equal(await manager.linked(tokenHash(first.token)), undefined);
    await pass(t, TEN_MINUTES - 1);
    assert.equal(await manager.linked(tokenHash(second.token)), NUMERO);
    await pass(t, 1);
    assert.equal(await manager.linked(tokenHash(second.token)), undefined);
  });

  test('is over in time after a restart as well, and at once if its time has passed', async (t) => {
    const { id, token, expires } = await (await start()).createLink(NUMERO);
    await pass(t, TEN_MINUTES / 2);
    const next = await start();
    assert.deepEqual(next.get(NUMERO)?.link, { id, expires });
    assert.equal(await next.linked(tokenHash(token)), NUMERO);
    await pass(t, TEN_MINUTES / 2);
    assert.equal(next.get(NUMERO)?.link, undefined);

    await archive.setLink(OTHER, { hash: tokenHash('late'), expires: Date.now() - 1 });
    const last = await start();
    assert.equal(last.get(OTHER)?.link, undefined);
    assert.equal(await last.linked(tokenHash('late')), undefined);
  });

  test('says when it was opened, the first time', async (t) => {
    const manager = await start();
    const { id, expires } = await manager.createLink(NUMERO);
    await pass(t, 1_000);
    const opened = Date.now();
    await manager.linkOpened(NUMERO);
    await pass(t, 1_000);
    await manager.linkOpened(NUMERO);
    assert.deepEqual(manager.get(NUMERO)?.link, { id, expires, opened });
    assert.deepEqual(changes(), [{ link: { id, expires } }, { link: { id, expires, opened } }]);
    await manager.linkOpened(OTHER);
    await manager.linkOpened('99');
    assert.equal(manager.get(OTHER)?.link, undefined);
    await pass(t, TEN_MINUTES);
    assert.equal(manager.get(NUMERO)?.link, undefined);
  });

  test('stays out while its session is deleted, until that has succeeded', async () => {
    const manager = await start();
    const { id, expires } = await manager.createLink(NUMERO);
    const deleted = manager.delete(NUMERO);
    assert.equal(manager.get(NUMERO)?.state, STATES.closing);
    assert.deepEqual(manager.get(NUMERO)?.link, { id, expires });
    await deleted;
    assert.equal(archive.link(NUMERO), undefined);
  });

  test('that cannot be written is not given away; one that cannot be ended is, by its time', async (t) => {
    const manager = await start();
    archive.isBroken = true;
    await assert.rejects(manager.createLink(NUMERO), { name: 'StoreError' });
    assert.equal(manager.get(NUMERO)?.link, undefined);
    archive.isBroken = false;
    const { token } = await manager.createLink(NUMERO);
    archive.isBroken = true;
    await assert.rejects(manager.revokeLink(NUMERO), { name: 'StoreError' });
    assert.ok((await manager.history(NUMERO, 50)).every(({ event }) => event !== 'link_revoked'));
    assert.equal(await manager.linked(tokenHash(token)), NUMERO);
    await pass(t, TEN_MINUTES);
    assert.equal(manager.get(NUMERO)?.link, undefined);
    assert.equal(await manager.linked(tokenHash(token)), undefined);
  });

  test('that was given away is kept nowhere', async () => {
    const manager = await start();
    const { token } = await manager.createLink(NUMERO);
    const kept = JSON.stringify([
      manager.list(),
      pushes(),
      archive.link(NUMERO),
      await archive.history(NUMERO, 9),
    ]);
    assert.ok(!kept.includes(token));
  });
});
