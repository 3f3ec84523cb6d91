import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Session } from '../../src/session/session.ts';
import { joined, pass, settled, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };

stopTime();

describe('the host page learns', () => {
  it('each list', async () => {
    const { store, events } = await joined([connected]);
    const lists = () => events.flatMap(({ name, detail }) => (name === 'wo-sessions' ? [detail] : []));
    const list = { sessions: [connected] };
    assert.deepEqual(lists(), [list]);
    await store.refresh();
    assert.deepEqual(lists(), [list, list]);
  });

  it('each list as a copy: what the page does with it changes nothing here', async () => {
    const { store, session, events } = await joined([connected]);
    for (const { detail } of events) {
      if ('sessions' in detail)
        for (const listed of detail.sessions) Object.assign(listed, { state: 'HACKED' });
      Object.assign(detail, { total: 7 });
    }
    assert.deepEqual(session(numero), connected);
    await store.refresh();
    assert.deepEqual(
      events.map(({ name }) => name),
      ['wo-sessions', 'wo-attention', 'wo-sessions'],
    );
  });

  describe('how many sessions need a person, wait, and dropped', () => {
    const numeros = ['1', '2', '3', '4'];

    async function attention(list = numeros) {
      const panel = await joined(list.map((each) => ({ ...connected, numero: each })));
      const all = () => panel.events.flatMap(({ name, detail }) => (name === 'wo-attention' ? [detail] : []));
      return { ...panel, all };
    }

    it('with the first list, even an empty one', async () => {
      const { all } = await attention([]);
      assert.deepEqual(all(), [{ act: 0, wait: 0, dropped: 0, total: 0 }]);
    });

    it('once for what happens together', async () => {
      const { listener, all } = await attention();
      for (const each of ['1', '2']) listener.push({ type: 'disconnected', numero: each });
      listener.push({ type: 'change_state', numero: '3', state: 'OPENING' });
      pass(1);
      assert.deepEqual(all(), [
        { act: 0, wait: 0, dropped: 0, total: 4 },
        { act: 2, wait: 1, dropped: 3, total: 4 },
      ]);
    });

    it('a few times a second at most', async () => {
      const { listener, all } = await attention();
      for (let time = 0; time < 100; time += 1) {
        listener.push({ type: time % 2 === 0 ? 'disconnected' : 'ready', numero: '1' });
        pass(0.01);
      }
      assert.ok(all().length <= 5, `${all().length} in a second`);
    });

    it('again when a list brings a number that changed, and when time alone changes one', async () => {
      const list = [{ ...connected, numero: '1' }];
      const { store, events } = await joined(list, { list: async () => [...list] });
      const mark = events.length;
      await store.refresh();
      list.push({ numero: '2', state: 'OPENING', waiting: false });
      await store.refresh();
      pass(182);
      assert.deepEqual(
        events.slice(mark).flatMap(({ name, detail }) => (name === 'wo-attention' ? [detail] : [])),
        [
          { act: 0, wait: 1, dropped: 0, total: 2 },
          { act: 1, wait: 0, dropped: 0, total: 2 },
        ],
      );
    });

    it('no more once the panel has left', async () => {
      const { store, listener, all } = await attention();
      listener.push({ type: 'disconnected', numero: '1' });
      store.close();
      listener.push({ type: 'disconnected', numero: '2' });
      pass(2);
      assert.equal(all().length, 1);
    });
  });

  it('when the connection is made or lost, not of each attempt', async () => {
    const { listener, events } = await joined([connected]);
    for (const now of [false, false, true, true, false]) listener.connection(now);
    await settled();
    assert.deepEqual(
      events.flatMap(({ name, detail }) => (name === 'wo-connection-change' ? detail.connected : [])),
      [false, true, false],
    );
  });

  it('of the lost connection when the panel leaves, and nothing after that', async () => {
    const { store, listener, events } = await joined([connected]);
    listener.connection(true);
    await settled();
    const mark = events.length;
    store.close();
    listener.push({ type: 'disconnected', numero });
    assert.deepEqual(events.slice(mark), [{ name: 'wo-connection-change', detail: { connected: false } }]);
  });

  /** What is told of the state of a session while something happens. */
  async function changes(
    list: readonly Session[],
    happen: (panel: Awaited<ReturnType<typeof joined>>) => unknown,
  ) {
    const panel = await joined(list);
    await happen(panel);
    return panel.events.flatMap(({ name, detail }) =>
      name === 'wo-session-change'
        ? `${detail.previousState} > ${detail.state}, ${detail.asks}${detail.dropped ? ', dropped' : ''}`
        : [],
    );
  }

  it('each change of a state, with the state before', async () => {
    const seen = await changes([connected], ({ listener }) => {
      for (const state of ['OPENING', 'OPENING']) listener.push({ type: 'change_state', numero, state });
      for (const qrCode of ['2@1', '2@2']) listener.push({ type: 'qr', numero, qrCode });
      listener.push({ type: 'authenticated', numero });
      listener.push({ type: 'disconnected', numero });
      listener.push({ type: 'qr_timeout', numero });
    });
    assert.deepEqual(seen, [
      'CONNECTED > OPENING, wait, dropped',
      'OPENING > AUTENTICANDO..., scan',
      'AUTENTICANDO... > DESCONECTADO, act',
    ]);
  });

  it('of a session that is added, closing and deleted', async () => {
    const seen = await changes([], async ({ store }) => {
      await store.up(numero);
      await store.delete(numero);
    });
    assert.deepEqual(seen, [
      'undefined > AUTENTICANDO..., wait',
      'AUTENTICANDO... > CERRANDO SESIÓN..., wait',
      'CERRANDO SESIÓN... > undefined, undefined',
    ]);
  });

  it('which states a list changes, but not which sessions it adds', async () => {
    const list: Session[] = [];
    const { store, events } = await joined([], { list: async () => [...list] });
    list.push(connected);
    await store.refresh();
    list[0] = { ...connected, state: 'OPENING' };
    await store.refresh();
    list.length = 0;
    await store.refresh();
    assert.deepEqual(
      events.flatMap(({ name, detail }) =>
        name === 'wo-session-change' ? [[detail.state, detail.dropped]] : [],
      ),
      [
        ['OPENING', true],
        [undefined, false],
      ],
    );
  });

  it('each failure with its action, as do the operator and the log', async () => {
    const fails = (what: string) => () => Promise.reject(new Error(what));
    const log = mock.method(console, 'error', () => {});
    const { store, events, notices } = await joined([connected], {
      start: fails('no start'),
      delete: fails('no deletion'),
      send: fails('no message'),
    });
    await store.up(numero);
    await store.delete(numero);
    await store.send({ from: numero, to: '1', text: '' });
    const failures = events.flatMap(({ name, detail }) => (name === 'wo-error' ? [detail] : []));
    assert.deepEqual(
      failures.map(({ action, error }) => `${action}: ${error.message}`),
      ['up: no start', 'delete: no deletion', 'send: no message'],
    );
    assert.deepEqual(
      log.mock.calls.map((call) => call.arguments[1]),
      failures.map(({ error }) => error),
    );
    assert.deepEqual(notices, ['negative: no start', 'negative: no deletion', 'negative: no message']);
  });
});
