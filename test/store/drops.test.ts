import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Push, Session } from '../../src/session/session.ts';
import { held, joined, type ListedSession, pass, settled, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const down: Session = { numero, state: 'DESCONECTADO', waiting: false };
const state = (text: string): Push => ({ type: 'change_state', numero, state: text });

stopTime();

/** A panel with a CONNECTED session, and what it tells of drops. */
async function panel(calls = {}) {
  const joining = await joined([connected], calls);
  return {
    ...joining,
    mark: () => joining.status(numero)?.droppedAt,
    /** For each change that the page was told of: whether the session dropped. */
    drops: () =>
      joining.events.flatMap(({ name, detail }) => (name === 'wo-session-change' ? detail.dropped : [])),
  };
}

describe('a session that is CONNECTED no longer', () => {
  const ends: readonly Push[] = [{ type: 'disconnected', numero }, state('OPENING'), state('UNPAIRED')];
  for (const end of ends) {
    it(`is marked with the time until it is back: ${JSON.stringify(end)}`, async () => {
      const { listener, mark, drops } = await panel();
      pass(60);
      const droppedAt = Date.now();
      listener.push(end);
      pass(60);
      listener.push(state('PAIRING'));
      listener.push({ type: 'disconnected', numero });
      assert.equal(mark(), droppedAt);
      listener.push({ type: 'ready', numero });
      assert.equal(mark(), undefined);
      assert.equal(drops().indexOf(true), 0);
      assert.equal(drops().lastIndexOf(true), 0);
    });
  }

  it('is marked when a list shows it after a lost connection', async () => {
    const list = [connected];
    const { listener, mark, drops } = await panel({ list: async () => [...list] });
    list[0] = down;
    listener.connection(true);
    await settled();
    assert.equal(mark(), Date.now());
    assert.deepEqual(drops(), [true]);
  });

  it('is reported to the page with all that a notification needs', async () => {
    const { listener, events } = await panel();
    listener.push({ type: 'disconnected', numero });
    assert.deepEqual(events.at(-1), {
      name: 'wo-session-change',
      detail: { numero, state: 'DESCONECTADO', previousState: 'CONNECTED', asks: 'act', dropped: true },
    });
  });

  it('loses its mark when somebody acts, here or in another panel', async () => {
    const acts: readonly ((panel: Awaited<ReturnType<typeof joined>>) => unknown)[] = [
      ({ store }) => store.up(numero),
      ({ store }) => store.delete(numero),
      ({ listener }) => listener.push(state('AUTENTICANDO...')),
    ];
    for (const act of acts) {
      const { mark, ...joining } = await panel();
      joining.listener.push({ type: 'disconnected', numero });
      assert.ok(mark());
      await act(joining);
      assert.equal(mark(), undefined);
    }
  });
});

describe('a session that was down when the panel opened', () => {
  const since = Date.UTC(2025, 11, 31, 21);
  const fallen = (code: string, more: Partial<ListedSession> = {}): ListedSession => ({
    ...down,
    details: { since, reason: { code, text: 'Por algo' } },
    ...more,
  });
  const opened = async (list: readonly ListedSession[], calls = {}) => {
    const panel = await joined(list, calls);
    panel.listener.extensions(new Set(['details']));
    pass(1);
    return { ...panel, mark: () => panel.status(numero)?.droppedAt };
  };

  it('has dropped when the server says so, and counts', async () => {
    for (const code of [
      'logged-out',
      'unreachable',
      'banned',
      'connection-lost',
      'restricted',
      'replaced',
      'no-server',
      'device-removed',
      'silent',
      'dead-keys',
    ]) {
      const { store, mark, events } = await opened([fallen(code)]);
      assert.equal(mark(), since, code);
      assert.equal(store.counts.get().dropped, 1);
      assert.deepEqual(events.at(-1), {
        name: 'wo-attention',
        detail: { act: 1, wait: 0, dropped: 1, total: 1 },
      });
      assert.equal(
        events.some(({ name }) => name === 'wo-session-change'),
        false,
      );
    }
  });

  it('has not dropped when an operator ended it, or nobody linked it', async () => {
    for (const code of [
      'unlinked',
      'not-scanned',
      'start-failed',
      'unsaved',
      'passkey',
      'other-number',
      'toString',
    ])
      assert.equal((await opened([fallen(code)])).mark(), undefined, code);
  });

  it('has not dropped when it is connected or deleted, or the server does not say since when', async () => {
    for (const session of [
      fallen('connection-lost', { state: 'CONNECTED' }),
      fallen('connection-lost', { state: 'CERRANDO SESIÓN...' }),
      fallen('connection-lost', { details: { reason: { code: 'connection-lost', text: 'Por algo' } } }),
    ])
      assert.equal((await opened([session])).mark(), undefined);
  });

  it('has not dropped as long as the server does not announce details', async () => {
    const { status } = await joined([fallen('connection-lost')]);
    assert.equal(status(numero)?.droppedAt, undefined);
  });

  it('loses its mark when it is started', async () => {
    const { store, mark } = await opened([fallen('connection-lost')]);
    await store.up(numero);
    assert.equal(mark(), undefined);
  });

  it('dropped when the server says, also where the panel missed it; the page is told once', async () => {
    const list: ListedSession[] = [connected];
    const { store, mark, events } = await opened(list, { list: async () => [...list] });
    list[0] = fallen('connection-lost');
    await store.refresh();
    assert.equal(mark(), since);
    list[0] = fallen('unreachable', { state: 'SIN CONEXIÓN: se sigue intentando...' });
    await store.refresh();
    assert.equal(mark(), since);
    const drops = events.flatMap(({ name, detail }) => (name === 'wo-session-change' ? detail.dropped : []));
    assert.deepEqual(drops, [true, false]);
  });
});

describe('not a drop:', () => {
  it('a session that the operator starts, or deletes', async () => {
    const { store, listener, drops } = await panel();
    await store.up(numero);
    listener.push({ type: 'ready', numero });
    await store.delete(numero);
    assert.deepEqual(drops(), [false, false, false, false]);
  });

  it('a session that another panel deletes', async () => {
    const { listener, drops, mark } = await panel();
    listener.push(state('CERRANDO SESIÓN...'));
    listener.push({ type: 'disconnected', numero });
    assert.equal(mark(), undefined);
    assert.deepEqual(drops(), [false, false]);
  });

  it('codes that nobody scanned', async () => {
    const { store, listener, says, mark } = await panel();
    await store.up(numero);
    listener.push({ type: 'qr', numero, qrCode: '2@1' });
    listener.push({ type: 'qr_timeout', numero });
    assert.equal(says(numero), 'Nadie escaneó el código a tiempo. Levanta la sesión para generar otro.');
    assert.equal(mark(), undefined);
  });

  it('a failed deletion, unless the session dropped meanwhile', async () => {
    for (const push of [undefined, { type: 'disconnected', numero }] as const) {
      const deletions = held<string | undefined>();
      const list = [connected];
      const { store, listener, mark } = await panel({ delete: deletions.call, list: async () => [...list] });
      const deleted = store.delete(numero);
      await settled();
      pass(5);
      const heardAt = Date.now();
      if (push) {
        list[0] = down;
        listener.push(push);
      }
      pass(5);
      await deletions.answer(new Error('no'));
      await deleted;
      assert.equal(mark(), push && heardAt);
    }
  });

  it('a drop during a deletion keeps its time when the deletion is retried', async () => {
    const deletions = held<string | undefined>();
    const list = [connected];
    const calls = { delete: deletions.call, list: async () => [...list] };
    const { store, listener, status } = await joined([], calls);
    // With a connection no list is polled.
    listener.connection(true);
    const deleted = store.delete(numero);
    await settled();
    const heardAt = Date.now();
    list[0] = down;
    listener.push({ type: 'disconnected', numero });
    pass(31);
    void store.delete(numero);
    await settled();
    pass(35);
    await deletions.answer(new Error('no'));
    await deleted;
    assert.equal(status(numero)?.droppedAt, heardAt);
  });
});
