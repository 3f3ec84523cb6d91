import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionsIn, visibleIn, type Wanted } from '../../src/list/arrange.ts';
import { createListView } from '../../src/list/list-view.ts';
import type { WireDetails } from '../../src/wire.ts';
import { joined, type ListedSession, pass, stopTime } from './support.ts';

const numeroOf = (index: number) => String(5491155550000 + index);

/** Twelve sessions with these names by index; some are down. */
function sessions(
  names: Readonly<Record<number, WireDetails>>,
  down: readonly number[] = [],
): ListedSession[] {
  return Array.from({ length: 12 }, (_, index) => ({
    numero: numeroOf(index),
    state: down.includes(index) ? 'DESCONECTADO' : 'CONNECTED',
    waiting: false,
    details: names[index] ?? {},
  }));
}

stopTime();

/** A list of named sessions. Numeros are told by their index. */
async function panel(list: readonly ListedSession[], wanted: Partial<Wanted> = {}) {
  let held = false;
  const { store, listener } = await joined(list);
  listener.connection(true);
  listener.extensions(new Set(['details', 'label']));
  const view = createListView(store, { view: 'list', order: undefined, ...wanted }, () => held);
  view.follow();
  const state = () => view.state.get();
  pass(1);
  return {
    store,
    listener,
    view,
    state,
    shown: () => visibleIn(state()).map((numero) => Number(numero) - 5491155550000),
    /** The sections with the sessions in them. */
    sections() {
      const sections: Record<string, number[]> = {};
      for (const { numero, section } of sessionsIn(state())) {
        if (section === undefined) continue;
        sections[section] ??= [];
        sections[section].push(Number(numero) - 5491155550000);
      }
      return sections;
    },
    name: (index: number, change: WireDetails) =>
      listener.push({ type: 'details', numero: numeroOf(index), change }),
    /** Puts the operator's hand on a row, or takes it away. */
    hold(on: boolean) {
      held = on;
    },
  };
}

describe('the search by names', () => {
  const list = sessions({
    1: { label: 'Recepción', name: 'Clínica Ñandú' },
    2: { label: 'Cobranza', group: 'Administración' },
    3: { name: 'Recepcion 2' },
    4: { label: 'Torre 5550007' },
  });
  const cases: readonly [query: string, finds: readonly number[]][] = [
    ['recepcion', [1, 3]],
    ['RECEPCIÓN', [1, 3]],
    ['ñandu', [1]],
    ['nandu', [1]],
    ['administracion', [2]],
    ['branza', [2]],
    // A numero, and a name with the same digits.
    ['5550007', [4, 7]],
    ['undefined', []],
  ];
  for (const [query, finds] of cases) {
    it(`"${query}" finds ${finds.join() || 'none'}`, async () => {
      const { view, shown } = await panel(list, { order: 'server', view: 'cards' });
      view.choose({ query });
      assert.deepEqual(shown(), finds);
    });
  }

  it('follows them', async () => {
    const { view, shown, name } = await panel(list, { view: 'cards' });
    view.choose({ query: 'ventas' });
    assert.deepEqual(shown(), []);
    name(5, { label: 'Ventas' });
    pass(1);
    assert.deepEqual(shown(), [5]);
  });

  it('finds by the names that the host page gives', async () => {
    const { view, shown, store } = await panel(list, { view: 'cards' });
    store.setLabels(new Map([[numeroOf(9), { label: 'Almacén' }]]));
    view.choose({ query: 'almacen' });
    assert.deepEqual(shown(), [9]);
  });
});

describe('the groups', () => {
  const GROUPED = { 1: { group: 'Ventas' }, 4: { group: 'Soporte' }, 6: { group: 'Ventas' } };

  it('are sections of the list, in the chosen order', async () => {
    const { sections, shown, view } = await panel(sessions(GROUPED, [6, 9]));
    assert.deepEqual(sections(), { soporte: [4], ventas: [6, 1], '': [9, 0, 2, 3, 5, 7, 8, 10, 11] });
    assert.deepEqual(shown(), [6, 9]);
    view.choose({ order: 'server' });
    assert.deepEqual(sections(), { soporte: [4], ventas: [1, 6], '': [0, 2, 3, 5, 7, 8, 9, 10, 11] });
  });

  it('are no sections of cards, nor where no session has one', async () => {
    const { sections, view, shown, name } = await panel(sessions({}), { order: 'server' });
    assert.deepEqual(sections(), {});
    name(1, { group: 'Ventas' });
    pass(1);
    assert.equal(Object.values(sections()).flat().length, 12);
    view.choose({ view: 'cards' });
    assert.deepEqual(sections(), {});
    assert.deepEqual(shown(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('are counted, with those that are well and those that need attention', async () => {
    const { store, listener, name } = await panel(sessions(GROUPED, [6, 9]));
    const counts = () =>
      [...store.sections.get().values()].map(({ name, total, ok, attention }) => [
        name,
        total,
        ok,
        attention,
      ]);
    assert.deepEqual(counts(), [
      ['Soporte', 1, 1, 0],
      ['Ventas', 2, 1, 1],
      ['', 9, 8, 1],
    ]);
    listener.push({ type: 'change_state', numero: numeroOf(4), state: 'CONFLICT' });
    name(9, { group: 'Soporte' });
    pass(1);
    assert.deepEqual(counts(), [
      ['Soporte', 2, 0, 2],
      ['Ventas', 2, 1, 1],
      ['', 8, 8, 0],
    ]);
  });

  it('are the same object while no count changes, whatever becomes of their sessions', async () => {
    const { store, listener } = await panel(sessions(GROUPED, [6, 9]));
    listener.push({ type: 'change_state', numero: numeroOf(0), state: 'OPENING' });
    pass(1);
    const before = store.sections.get();
    listener.push({ type: 'change_state', numero: numeroOf(0), state: 'PAIRING' });
    pass(1);
    assert.equal(store.counts.get().waiting, 1);
    assert.equal(store.sections.get(), before);
    listener.push({ type: 'change_state', numero: numeroOf(4), state: 'CONFLICT' });
    pass(1);
    const after = store.sections.get();
    assert.deepEqual(
      [...after].map(([section, count]) => count === before.get(section)),
      [false, true, true],
    );
  });

  it('filter, alone and with the others', async () => {
    const { view, shown } = await panel(sessions(GROUPED, [6, 9]), { order: 'server' });
    view.choose({ section: 'ventas' });
    assert.deepEqual(shown(), [1, 6]);
    view.choose({ bucket: 'attention' });
    assert.deepEqual(shown(), [6]);
    view.choose({ section: '' });
    assert.deepEqual(shown(), [9]);
    view.choose({ section: 'nadie', bucket: undefined });
    assert.deepEqual(shown(), []);
    view.choose({ section: undefined });
    assert.equal(shown().length, 12);
  });

  it("move no row under the operator's hand", async () => {
    const { name, shown, sections, hold, store, listener } = await panel(sessions(GROUPED), {
      order: 'server',
    });
    hold(true);
    name(4, { group: 'Ventas' });
    await store.up(numeroOf(12));
    listener.push({ type: 'ready', numero: numeroOf(12) });
    pass(5);
    assert.deepEqual(shown(), [4, 1, 6, 0, 2, 3, 5, 7, 8, 9, 10, 11, 12]);
    assert.deepEqual(sections().soporte, [4]);
    hold(false);
    pass(1);
    assert.deepEqual(sections(), { ventas: [1, 4, 6], '': [0, 2, 3, 5, 7, 8, 9, 10, 11, 12] });
  });

  it('that change rearrange nothing else', async () => {
    const { state, view, name } = await panel(sessions(GROUPED), { order: 'server' });
    const before = state();
    name(1, { group: 'Ventas', label: 'Uno' });
    pass(1);
    assert.equal(state(), before);
    view.state.subscribe(() => assert.fail('nothing has moved'));
    name(2, { label: 'Dos' });
    pass(1);
  });
});
