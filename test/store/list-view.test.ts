import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { visibleIn, type Wanted } from '../../src/list/arrange.ts';
import { createListView } from '../../src/list/list-view.ts';
import type { Session } from '../../src/session/session.ts';
import { type Answers, joined, pass, settled, stopTime } from './support.ts';

const numeroOf = (index: number) => String(5491155550000 + index);

/** As many sessions, of which some are down and the others CONNECTED. */
function sessions(count: number, down: readonly number[] = []): Session[] {
  return Array.from({ length: count }, (_, index) => ({
    numero: numeroOf(index),
    state: down.includes(index) ? 'DESCONECTADO' : 'CONNECTED',
    waiting: false,
  }));
}

stopTime();

/** A list of sessions, and which of them are shown. Numeros are told by their index. */
async function panel(first: readonly Session[], calls: Partial<Answers> = {}, wanted: Partial<Wanted> = {}) {
  let list = first;
  let held = false;
  const { store, listener, events } = await joined([], { list: async () => [...list], ...calls });
  const view = createListView(store, { view: 'cards', order: undefined, ...wanted }, () => held);
  view.follow();
  const state = () => view.state.get();
  return {
    store,
    listener,
    events,
    view,
    state,
    shown: () => visibleIn(state()).map((numero) => Number(numero) - 5491155550000),
    find: (query: string) => view.choose({ query }),
    change: (index: number, text: string) =>
      listener.push({ type: 'change_state', numero: numeroOf(index), state: text }),
    /** Puts the operator's hand on the list, or takes it away. */
    hold(on: boolean) {
      held = on;
    },
    async list(now: readonly Session[]) {
      list = now;
      await store.refresh();
    },
  };
}

const ALL = [...Array(12).keys()];

describe("what is under the operator's hand", () => {
  it('stays where few sessions come in another order', async () => {
    const { shown, list, hold } = await panel(sessions(4));
    hold(true);
    await list(sessions(5).toReversed());
    pass(5);
    assert.deepEqual(shown(), [0, 1, 2, 3, 4]);
    hold(false);
    pass(1);
    assert.deepEqual(shown(), [4, 3, 2, 1, 0]);
  });

  it('stays when the page asks for another view or order', async () => {
    const { view, shown, state, hold } = await panel(sessions(12, [5]));
    hold(true);
    view.setWanted({ view: 'list', order: 'attention' });
    pass(5);
    assert.deepEqual([state().view, shown()[0]], ['cards', 0]);
    hold(false);
    pass(1);
    assert.deepEqual([state().view, shown()[0]], ['list', 5]);
  });
});

describe('the filter bar comes with nine sessions', () => {
  it('and goes with eight, whatever is filtered', async () => {
    const { view, find, shown, state, list } = await panel(sessions(9, [8]));
    assert.equal(state().hasBar, true);
    find('0003');
    view.choose({ order: 'attention' });
    assert.deepEqual(shown(), [3]);
    await list(sessions(8, [7]));
    assert.equal(state().hasBar, false);
    assert.deepEqual(shown(), [0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("but never under the operator's hand", async () => {
    const { view, shown, state, list, hold } = await panel(sessions(9, [5]));
    view.choose({ order: 'attention' });
    hold(true);
    await list(sessions(8, [5]));
    pass(5);
    assert.deepEqual(shown(), [5, 0, 1, 2, 3, 4, 6, 7]);
    hold(false);
    pass(1);
    assert.deepEqual(shown(), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.equal(state().hasBar, false);
  });
});

describe('the search', () => {
  const cases: readonly [query: string, finds: readonly number[]][] = [
    ['5550007', [7]],
    ['+54 9 11 5555-0007', [7]],
    ['(54) 9.11.5555\u20110007', [7]],
    ['\u202a0007\u202c', [7]],
    ['  ', ALL],
    ['sin conexion', [2]],
    ['SIN CONEXIÓN', [2]],
    ['conexión con whatsapp', [2]],
    ['desconectado', [5]],
    ['-', []],
    ['(', []],
    ['+', []],
    ['...', [3]],
    ['nadie', []],
  ];
  for (const [query, finds] of cases) {
    it(`"${query}" finds ${finds.length === 12 ? 'all' : finds.join() || 'none'}`, async () => {
      const { find, shown, change } = await panel(sessions(12, [5]));
      change(2, 'SIN CONEXIÓN CON WHATSAPP');
      change(3, 'ESPERANDO...');
      find(query);
      assert.deepEqual(shown(), finds);
    });
  }
});

describe('the counts', () => {
  it('say how many are ok, wait, need attention, dropped, and are restartable', async () => {
    const { store, change, listener } = await panel(sessions(12, [5]));
    assert.deepEqual(store.counts.get(), { ok: 11, waiting: 0, attention: 1, dropped: 0, restartable: 1 });
    change(1, 'OPENING');
    change(9, 'CONFLICT');
    change(10, 'ALGO NUEVO');
    listener.push({ type: 'qr', numero: numeroOf(5), qrCode: '2@1' });
    pass(1);
    // The code is to be scanned: a new start would not help.
    assert.deepEqual(store.counts.get(), { ok: 8, waiting: 1, attention: 3, dropped: 3, restartable: 2 });
    listener.push({ type: 'ready', numero: numeroOf(9) });
    pass(1);
    assert.deepEqual(store.counts.get(), { ok: 9, waiting: 1, attention: 2, dropped: 2, restartable: 1 });
  });

  it('exclude from restartable what is starting, being deleted, or could not be deleted', async () => {
    const { store, listener } = await panel(sessions(9, [0, 1, 2, 3]), {
      start: () => new Promise(() => {}),
      delete: (numero) => (numero === numeroOf(2) ? Promise.reject(new Error('no')) : new Promise(() => {})),
    });
    listener.connection(true);
    await settled();
    void store.up(numeroOf(0));
    void store.delete(numeroOf(1));
    await store.delete(numeroOf(2));
    pass(32);
    assert.deepEqual(store.counts.get(), { ok: 5, waiting: 0, attention: 4, dropped: 0, restartable: 1 });
  });

  it('exclude from restartable what a start cannot help', async () => {
    const { store, change } = await panel(sessions(12));
    const blocked = ['TOS_BLOCK', 'SMB_TOS_BLOCK', 'PROXYBLOCK', 'DEPRECATED_VERSION'];
    for (const [index, state] of [...blocked, 'CONFLICT'].entries()) change(index, state);
    pass(1);
    assert.deepEqual(store.counts.get(), { ok: 7, waiting: 0, attention: 5, dropped: 5, restartable: 1 });
  });

  it('change with time alone', async () => {
    const { store, change } = await panel(sessions(12));
    change(1, 'OPENING');
    pass(182);
    assert.deepEqual(store.counts.get(), { ok: 11, waiting: 0, attention: 1, dropped: 1, restartable: 1 });
  });

  it('filter: sessions come and go with their bucket', async () => {
    const { view, shown, change, listener } = await panel(sessions(12, [5]));
    view.choose({ bucket: 'attention' });
    assert.deepEqual(shown(), [5]);
    change(9, 'CONFLICT');
    pass(1);
    assert.deepEqual(shown(), [5, 9]);
    listener.push({ type: 'ready', numero: numeroOf(5) });
    pass(1);
    assert.deepEqual(shown(), [9]);
    view.choose({ bucket: 'dropped', query: '0009' });
    assert.deepEqual(shown(), [9]);
    view.choose({ query: '0005' });
    assert.deepEqual(shown(), []);
    view.choose({ bucket: undefined, query: '' });
    assert.deepEqual(shown(), ALL);
  });
});

describe('the order', () => {
  it('puts first what needs attention, then what waits; can be switched off', async () => {
    const { view, shown, change } = await panel(sessions(12, [5]));
    change(8, 'OPENING');
    view.choose({ order: 'attention' });
    assert.deepEqual(shown(), [5, 8, 0, 1, 2, 3, 4, 6, 7, 9, 10, 11]);
    view.choose({ order: 'server' });
    assert.deepEqual(shown(), ALL);
  });

  it('shows an added session first, past the filter, until that changes', async () => {
    const { store, view, find, shown } = await panel(sessions(12, [5]));
    find('DESCONECTADO');
    view.choose({ order: 'attention' });
    const added = numeroOf(12);
    await store.up(added);
    view.show(added);
    pass(1);
    assert.deepEqual(shown(), [12, 5]);
    find('DESCONECTADO');
    assert.deepEqual(shown(), [5]);
  });

  it('survives another list and a lost connection', async () => {
    const { store, listener, view, shown } = await panel(sessions(60, [7, 20]));
    view.choose({ bucket: 'attention' });
    view.choose({ order: 'attention' });
    await store.refresh();
    for (const connected of [true, false, true]) listener.connection(connected);
    await settled();
    pass(1);
    assert.deepEqual(shown(), [7, 20]);
  });
});

describe('the view', () => {
  const views: readonly [wanted: Partial<Wanted>, count: number, view: string, order: string][] = [
    [{}, 12, 'cards', 'server'],
    [{ view: 'list' }, 12, 'list', 'attention'],
    [{ view: 'list' }, 3, 'list', 'attention'],
    [{ view: 'auto' }, 8, 'cards', 'server'],
    [{ view: 'auto' }, 9, 'list', 'attention'],
    [{ order: 'attention' }, 12, 'cards', 'attention'],
    [{ order: 'attention' }, 3, 'cards', 'attention'],
    [{ view: 'list', order: 'server' }, 12, 'list', 'server'],
  ];
  for (const [wanted, count, view, order] of views) {
    it(`of ${count} sessions with ${JSON.stringify(wanted)} is ${view}, in the order of ${order}`, async () => {
      const { state, shown } = await panel(sessions(count, [1]), {}, wanted);
      assert.deepEqual([state().view, state().order], [view, order]);
      assert.equal(shown()[0], order === 'attention' ? 1 : 0);
    });
  }

  it("is the operator's choice until the page asks for another, and the page is told of it", async () => {
    const { events, view, state } = await panel(sessions(12, [5]), {}, { view: 'auto' });
    view.choose({ view: 'cards' });
    view.choose({ order: 'attention' });
    assert.deepEqual(
      events.flatMap(({ name, detail }) => (name === 'wo-view-change' ? detail : [])),
      [
        { view: 'cards', order: 'server' },
        { view: 'cards', order: 'attention' },
      ],
    );
    view.setWanted({ view: 'list', order: 'server' });
    assert.deepEqual([state().view, state().order], ['list', 'server']);
  });

  for (const page of ['cards', 'auto'] as const) {
    it(`is the page's (${page}) where there is no bar to change it, and the operator's again with nine`, async () => {
      const { view, state, list } = await panel(sessions(9, [5]), {}, { view: page });
      view.choose({ view: 'list' });
      await list(sessions(8, [5]));
      assert.deepEqual([state().hasBar, state().view, state().order], [false, 'cards', 'server']);
      await list(sessions(9, [5]));
      assert.deepEqual([state().hasBar, state().view, state().order], [true, 'list', 'attention']);
    });
  }

  it('changes with the ninth session, but not under the hand', async () => {
    const { state, list, hold } = await panel(sessions(8), {}, { view: 'auto' });
    hold(true);
    await list(sessions(9));
    pass(5);
    assert.equal(state().view, 'cards');
    hold(false);
    pass(1);
    assert.equal(state().view, 'list');
  });
});

describe("under the operator's hand", () => {
  /** The hand is on one of five that are down, among sixty, the urgent ones first. */
  async function held() {
    const searching = await panel(sessions(60, [7, 20, 33, 46, 59]));
    searching.view.choose({ bucket: 'attention' });
    searching.view.choose({ order: 'attention' });
    searching.hold(true);
    return searching;
  }

  it('no card moves while the counts go on; all move once the hand is away', async () => {
    const { shown, store, hold, change, listener } = await held();
    for (const index of [7, 20]) listener.push({ type: 'ready', numero: numeroOf(index) });
    change(0, 'CONFLICT');
    pass(5);
    assert.deepEqual(shown(), [7, 20, 33, 46, 59]);
    assert.equal(store.counts.get().attention, 4);
    hold(false);
    pass(1);
    assert.deepEqual(shown(), [0, 33, 46, 59]);
  });

  it('none moves while the pointer crosses from card to card', async () => {
    const { shown, hold, listener } = await held();
    listener.push({ type: 'ready', numero: numeroOf(7) });
    for (let step = 0; step < 10; step += 1) {
      hold(step % 2 === 0);
      pass(0.31);
    }
    assert.deepEqual(shown(), [7, 20, 33, 46, 59]);
  });

  it('deleted cards go, the others stay, new ones come last', async () => {
    const { shown, list } = await held();
    const now = sessions(61, [7, 20, 33, 46, 60]);
    await list([...now.slice(60), ...now.slice(0, 59)]);
    assert.deepEqual(shown(), [7, 20, 33, 46, 60]);
  });

  it('no row moves though it newly needs a person, nor comes in though it matches; all do once the hand is away', async () => {
    const { shown, hold, change, find } = await panel(sessions(12, [5]), {}, { view: 'list' });
    hold(true);
    for (const index of [8, 2]) change(index, 'CONFLICT');
    pass(5);
    assert.deepEqual(shown(), [5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11]);
    hold(false);
    pass(1);
    assert.deepEqual(shown(), [2, 8, 5, 0, 1, 3, 4, 6, 7, 9, 10, 11]);
    find('conflict');
    hold(true);
    change(3, 'CONFLICT');
    change(2, 'DESCONECTADO');
    pass(5);
    assert.deepEqual(shown(), [2, 8]);
    hold(false);
    pass(1);
    assert.deepEqual(shown(), [3, 8]);
  });

  it('whoever rests on the list costs hardly anything while nothing happens', async () => {
    const { hold, change } = await panel(sessions(12), {}, { view: 'list' });
    hold(true);
    change(4, 'OPENING');
    pass(1);
    const { mock: written } = mock.method(JSON, 'stringify');
    pass(5);
    assert.equal(written.callCount(), 0);
  });

  it('none moves where too few are left for a filter bar', async () => {
    const { shown, hold, list } = await panel(sessions(8));
    const [first, ...rest] = sessions(9).reverse();
    hold(true);
    await list([...(first ? [first] : []), ...rest.toReversed()]);
    assert.deepEqual(shown(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    await list([...(first ? [first] : []), ...sessions(7)]);
    assert.deepEqual(shown(), [0, 1, 2, 3, 4, 5, 6, 8]);
  });

  it('what the operator chooses is applied at once', async () => {
    const { shown, view } = await held();
    view.choose({ query: '0033' });
    assert.deepEqual(shown(), [33]);
  });
});

describe('a storm of pushes', () => {
  it('is followed at most four times a second, to its end', async () => {
    const { view, shown, change } = await panel(sessions(1000));
    view.choose({ bucket: 'attention' });
    let times = 0;
    view.state.subscribe(() => {
      times += 1;
    });
    for (let index = 0; index < 300; index += 1) {
      change(index, 'CONFLICT');
      pass(0.01);
    }
    assert.ok(times <= 12, `${times} times in 3 s`);
    pass(1);
    assert.equal(shown().length, 300);
  });

  it('rearranges nothing where no bucket changes', async () => {
    const { store, view, listener } = await panel(sessions(60));
    listener.push({ type: 'qr', numero: numeroOf(3), qrCode: '2@1' });
    pass(1);
    view.state.subscribe(() => assert.fail('nothing else is to be shown'));
    const { mock: reads } = mock.method(store, 'get');
    listener.push({ type: 'qr', numero: numeroOf(3), qrCode: '2@2' });
    pass(1);
    assert.ok(reads.callCount() < 60, String(reads.callCount()));
  });

  it('arranges nothing where nothing moves: for a sent message, a renewed code, a name that is not searched', async () => {
    const send = async () => 'message 1';
    const { store, view, listener } = await panel(sessions(60, [3]), { send }, { view: 'list' });
    listener.extensions(new Set(['details']));
    listener.push({ type: 'qr', numero: numeroOf(3), qrCode: '2@1' });
    pass(1);
    view.state.subscribe(() => assert.fail('nothing else is to be shown'));
    const { mock: reads } = mock.method(store, 'get');
    await store.send({ from: numeroOf(5), to: '34600000001', text: 'Hola' });
    listener.push({ type: 'qr', numero: numeroOf(3), qrCode: '2@2' });
    listener.push({ type: 'details', numero: numeroOf(7), change: { label: 'Ventas' } });
    pass(1);
    assert.ok(reads.callCount() < 60, String(reads.callCount()));
  });

  it('is ignored by few sessions, which have no filter bar', async () => {
    const { view, state, change } = await panel(sessions(8));
    assert.equal(state().hasBar, false);
    view.state.subscribe(() => assert.fail('nothing has changed'));
    for (let index = 0; index < 8; index += 1) change(index, 'CONFLICT');
    pass(1);
  });
});
