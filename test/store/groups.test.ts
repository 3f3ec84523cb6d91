import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { joined, type ListedSession, pass, settled, stopTime } from './support.ts';

const LIST: readonly ListedSession[] = [
  { numero: '1', state: 'CONNECTED', waiting: false, details: { group: 'Ventas' } },
  { numero: '2', state: 'CONNECTED', waiting: false, details: { group: 'Soporte' } },
  { numero: '3', state: 'CONNECTED', waiting: false },
  { numero: '4', state: 'DESCONECTADO', waiting: false, details: { group: ' VENTAS' } },
];

stopTime();

/** A store of these groups, on a server that may announce extensions. */
async function panel(group: string, ...extensions: string[]) {
  let fetches = 0;
  const list = async () => {
    fetches += 1;
    return [...LIST];
  };
  const { store, listener, events, notices } = await joined([], { list });
  store.setGroup(group);
  listener.connection(true);
  listener.extensions(new Set(extensions));
  await settled();
  pass(6);
  await settled();
  const mark = events.length;
  return {
    store,
    listener,
    events: () => events.slice(mark),
    notices,
    shown: () => store.numeros.get().join(''),
    fetches: () => fetches,
  };
}

describe('a panel of some groups', () => {
  const cases: readonly [group: string, shown: string][] = [
    ['', '1234'],
    ['Ventas', '14'],
    ['soporte , Ventas', '124'],
    ['Compras', ''],
    ['Soporte,', '23'],
  ];
  for (const [group, shown] of cases)
    it(`shows those of "${group}", in the order of the server`, async () => {
      const { store, ...others } = await panel(group, 'details');
      assert.equal(others.shown(), shown);
      assert.equal(Array.from(store.records, ({ session }) => session.numero).join(''), shown);
    });

  it('shows them before the server has announced that it tells groups', async () => {
    assert.equal((await panel('Ventas')).shown(), '14');
  });

  it('tells the page of its sessions only', async () => {
    const { store, events } = await panel('Ventas', 'details');
    await store.refresh();
    pass(1);
    const [event] = events();
    assert.ok(event?.name === 'wo-sessions');
    assert.deepEqual(
      event.detail.sessions.map(({ numero }) => numero),
      ['1', '4'],
    );
    assert.deepEqual(
      { ...store.counts.get() },
      { ok: 1, waiting: 0, attention: 1, dropped: 0, restartable: 1 },
    );
  });

  it('says nothing of the others, and does not fetch the list for their pushes', async () => {
    const { listener, events, notices, fetches } = await panel('Ventas', 'details');
    const before = fetches();
    listener.push({ type: 'authenticated', numero: '2' });
    listener.push({ type: 'disconnected', numero: '2' });
    listener.push({ type: 'change_state', numero: '3', state: 'CONFLICT' });
    pass(60);
    assert.deepEqual([events(), notices, fetches()], [[], [], before]);
    listener.push({ type: 'ready', numero: '5' });
    pass(6);
    assert.equal(fetches(), before + 1);
  });

  it('shows a session that enters its group, as one that comes, and not one that leaves it', async () => {
    const { listener, events, shown } = await panel('Ventas', 'details');
    listener.push({ type: 'change_state', numero: '3', state: 'CONFLICT' });
    listener.push({ type: 'details', numero: '3', change: { group: 'Ventas' } });
    listener.push({ type: 'details', numero: '1', change: { group: undefined } });
    assert.equal(shown(), '34');
    assert.deepEqual(
      events().map((event) => event.name === 'wo-session-change' && event.detail),
      [
        { numero: '3', state: 'CONFLICT', previousState: undefined, asks: 'act', dropped: false },
        { numero: '1', state: undefined, previousState: 'CONNECTED', asks: undefined, dropped: false },
      ],
    );
  });

  it('takes the names of the page before those of the server', async () => {
    const { store, shown } = await panel('Ventas', 'details');
    store.setLabels(
      new Map([
        ['1', { group: 'Soporte' }],
        ['2', { group: 'Ventas' }],
        ['4', { group: '' }],
      ]),
    );
    assert.equal(shown(), '2');
  });

  it('changes live, with no event for what the page itself has changed', async () => {
    const { store, events, shown, fetches } = await panel('Ventas', 'details');
    const before = fetches();
    store.setGroup('Soporte');
    assert.equal(shown(), '2');
    store.setGroup('');
    assert.equal(shown(), '1234');
    pass(1);
    assert.deepEqual(
      events().filter(({ name }) => name !== 'wo-attention'),
      [],
    );
    assert.equal(fetches(), before);
  });

  it('looks at no session where its groups stay the same, as in most updates of the element', async () => {
    const { store } = await panel('Ventas');
    const names = new Map([['2', { group: 'Ventas' }]]);
    store.setLabels(names);
    const looks = mock.method(names, 'get').mock;
    store.setGroup('Ventas');
    assert.equal(looks.callCount(), 0);
    store.setGroup('Soporte');
    assert.equal(looks.callCount(), LIST.length);
  });

  it('deletes a session that leaves its group before the operator confirms', async () => {
    const { store, listener } = await panel('Ventas', 'details', 'presence');
    listener.push({ type: 'details', numero: '1', change: { group: 'Soporte' } });
    await store.delete('1');
    assert.equal(store.all.has('1'), false);
  });

  it('no longer shows a session that the operator puts into another group', async () => {
    const { store, shown } = await panel('Ventas', 'details', 'label');
    await store.rename('1', { group: 'Soporte' });
    assert.equal(shown(), '4');
  });
});
