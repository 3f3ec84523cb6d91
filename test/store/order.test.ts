import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { type Item, sortKeyOf, visibleIn } from '../../src/list/arrange.ts';
import { createListView } from '../../src/list/list-view.ts';
import { createSessionMap } from '../../src/session/session-map.ts';
import { joined, type ListedSession, pass, stopTime } from './support.ts';

const HOUR = 3_600_000;

stopTime();

/** A session in a group; `hours` ago it changed. */
function session(numero: string, state: string, group = '', hours = 1, reason = ''): ListedSession {
  const since = Date.now() - hours * HOUR;
  return {
    numero,
    state,
    waiting: false,
    details: { ...(group && { group }), since, ...(reason && { reason: { code: reason, text: reason } }) },
  };
}

/** A CONNECTED session that WhatsApp restricts. */
function limited(numero: string): ListedSession {
  const { details, ...shown } = session(numero, 'CONNECTED', '', 5);
  return { ...shown, details: { ...details, restricted: { text: 'Restringida' } } };
}

async function list(sessions: readonly ListedSession[]) {
  const { store, listener } = await joined(sessions);
  listener.extensions(new Set(['details']));
  await store.refresh();
  let held = false;
  const view = createListView(store, { view: 'list', order: 'attention' }, () => held);
  view.follow();
  return {
    view,
    /** The sessions in sight. */
    shown: () => visibleIn(view.state.get()),
    /** What the operator reads, line by line. */
    lines: () =>
      view.state
        .get()
        .items.filter((item) => item.kind === 'fold' || item.visible)
        .map(described),
    change: (numero: string, state: string) => listener.push({ type: 'change_state', numero, state }),
    /** Puts the operator's hand on the list, or takes it away. */
    hold(on: boolean) {
      held = on;
    },
  };
}

function described(item: Item): string {
  switch (item.kind) {
    case 'heading':
      return `${item.section}${item.closed ? ' closed' : ''}:`;
    case 'fold':
      return `${item.open ? '▾' : '▸'} ${item.count}`;
    case 'session':
      return item.numero;
  }
}

describe('the order of attention', () => {
  it('is by severity', async () => {
    const { shown, change } = await list([
      session('ok', 'CONNECTED'),
      session('waiting', 'CONNECTED'),
      session('other', 'CONFLICT'),
      session('stuck', 'X...', '', 1),
      { ...session('code', 'AUTENTICANDO...', '', 2), qrCode: '2@code' },
      session('dropped', 'CONNECTED'),
      session('unlinked', 'UNPAIRED'),
      session('logged-out', 'DESCONECTADO', '', 2, 'logged-out'),
      session('restricted', 'DESCONECTADO', '', 1, 'restricted'),
      session('removed', 'DESCONECTADO', '', 3, 'device-removed'),
      limited('limited'),
      session('blocked', 'TOS_BLOCK'),
    ]);
    pass(200);
    change('dropped', 'DESCONECTADO');
    change('waiting', 'OPENING');
    pass(1);
    assert.deepEqual(shown(), [
      'blocked',
      'restricted',
      'limited',
      'unlinked',
      'logged-out',
      'removed',
      'dropped',
      'stuck',
      'other',
      'code',
      'waiting',
      'ok',
    ]);
  });

  it('has the newest first where they are as severe', async () => {
    const { shown } = await list([
      session('old', 'CONFLICT', '', 9),
      session('new', 'CONFLICT', '', 1),
      session('middle', 'CONFLICT', '', 5),
    ]);
    assert.deepEqual(shown(), ['new', 'middle', 'old']);
  });

  it('keeps the order of a list that tells no times, however long it takes to read', () => {
    const numeros = ['1', '2', '3', '4'];
    let moment = Date.now();
    const ticking = mock.method(Date, 'now', () => moment++);
    const sessions = createSessionMap();
    sessions.replace(
      numeros.map((numero) => ({ session: { numero, state: 'CONFLICT', waiting: false }, details: {} })),
      [],
    );
    ticking.mock.restore();
    const places = Array.from(sessions.records, (record) => String(sortKeyOf(record)));
    assert.equal(new Set(places).size, 1, places.join(' '));
    sessions.stop();
  });

  it('puts each group where its worst session belongs, and folds what is well in it', async () => {
    const { lines } = await list([
      ...['a1', 'a2', 'a3'].map((numero) => session(numero, 'CONNECTED', 'Almacén')),
      session('n1', 'CONNECTED', 'Norte'),
      session('n2', 'CONFLICT', 'Norte'),
      session('t1', 'TOS_BLOCK', 'Tiendas'),
      session('t2', 'CONNECTED', 'Tiendas'),
      session('z1', 'CONNECTED'),
    ]);
    assert.deepEqual(lines(), [
      'tiendas:',
      't1',
      '▸ 1',
      'norte:',
      'n2',
      '▸ 1',
      'almacén:',
      '▸ 3',
      ':',
      '▸ 1',
    ]);
  });

  it('is off in the order of the server: groups by the alphabet, everything in sight', async () => {
    const { view, lines } = await list([
      session('t1', 'CONNECTED', 'Tiendas'),
      session('t2', 'TOS_BLOCK', 'Tiendas'),
      session('a1', 'CONNECTED', 'Almacén'),
    ]);
    view.setWanted({ view: 'list', order: 'server' });
    assert.deepEqual(lines(), ['almacén:', 'a1', 'tiendas:', 't1', 't2']);
  });
});

describe('a folded group', () => {
  const GROUP = [
    session('1', 'CONFLICT', 'Uno'),
    session('2', 'CONNECTED', 'Uno'),
    session('3', 'CONNECTED', 'Dos'),
  ];

  it('unfolds, closes, and comes back as it was', async () => {
    const { view, lines } = await list(GROUP);
    view.fold('uno', 'open');
    assert.deepEqual(lines(), ['uno:', '1', '▾ 1', '2', 'dos:', '▸ 1']);
    view.fold('uno', 'open');
    view.fold('uno', 'closed');
    assert.deepEqual(lines(), ['uno closed:', 'dos:', '▸ 1']);
    view.fold('uno', 'closed');
    assert.deepEqual(lines(), ['uno:', '1', '▸ 1', 'dos:', '▸ 1']);
  });

  it('keeps in sight what becomes well, until the next choice', async () => {
    const { view, change, lines } = await list(GROUP);
    change('1', 'CONNECTED');
    pass(1);
    assert.deepEqual(lines(), ['uno:', '1', '▸ 1', 'dos:', '▸ 1']);
    view.choose({});
    assert.deepEqual(lines(), ['dos:', '▸ 1', 'uno:', '▸ 2']);
  });

  it('shows what falls, at the top', async () => {
    const { change, lines } = await list(GROUP);
    change('3', 'DESCONECTADO');
    pass(1);
    assert.deepEqual(lines(), ['dos:', '3', 'uno:', '1', '▸ 1']);
  });

  it('shows it once none is held: it would move another', async () => {
    const { change, hold, lines } = await list([
      session('1', 'CONFLICT', 'Uno', 2),
      session('2', 'CONNECTED', 'Uno', 4),
      session('3', 'CONNECTED', 'Dos'),
      session('4', 'CONNECTED', 'Dos'),
      session('5', 'CONFLICT', 'Uno', 3),
    ]);
    const before = ['uno:', '1', '5', '▸ 1', 'dos:', '▸ 2'];
    assert.deepEqual(lines(), before);
    hold(true);
    change('3', 'DESCONECTADO');
    change('2', 'DESCONECTADO');
    pass(5);
    assert.deepEqual(lines(), before);
    hold(false);
    pass(1);
    assert.deepEqual(lines(), ['dos:', '3', '▸ 1', 'uno:', '2', '1', '5']);
  });
});
