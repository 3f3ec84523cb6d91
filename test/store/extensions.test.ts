import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Naming, Session } from '../../src/session/session.ts';
import type { Extension } from '../../src/wire.ts';
import { held, joined, type ListedSession, overHttp, pass, settled, stopTime, watch } from './support.ts';

const numero = '5491155550001';
const other = '34600000001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const created: Session = { numero: other, state: 'AUTENTICANDO...', waiting: true };
const named = { label: 'Ventas', group: 'Norte' };

stopTime();

/** A panel that has been told of these extensions. */
async function panel(
  extensions: Extension[],
  ...[list = [connected], calls]: Partial<Parameters<typeof joined>>
) {
  const asked = mock.fn(async () => [...list]);
  const joinedPanel = await joined(list, { list: asked, ...calls });
  const { store, listener } = joinedPanel;
  listener.connection(true);
  listener.extensions(new Set(extensions));
  await settled();
  return {
    ...joinedPanel,
    /** How often the list was asked for since. */
    fetches: () => asked.mock.callCount() - 2,
    details: (about = numero) => store.get(about)?.details,
    numeros: () => store.numeros.get(),
  };
}

describe('an extension', () => {
  it('is none until it is announced, though the list and pushes have it', async () => {
    const { store, listener, details, numeros } = await panel([], [{ ...connected, details: named }]);
    listener.push({ type: 'details', numero, change: { label: 'Otra' } });
    listener.push({ type: 'created', numero: other, session: created, details: {} });
    listener.push({ type: 'deleted', numero });
    listener.push({ type: 'code', numero, pairing: { code: 'ABCD1234', expires: 1 } });
    assert.deepEqual(details(), {});
    assert.deepEqual(numeros(), [numero]);
    assert.equal(store.get(numero)?.pairing, undefined);
    listener.extensions(new Set(['details']));
    pass(0.25);
    assert.deepEqual(details(), named);
    assert.deepEqual([...store.snapshot.get().extensions], ['details']);
  });

  it('is forgotten soon after a reconnection, unless it is announced again', async () => {
    const { store, listener, details } = await panel(
      ['details', 'unlink'],
      [{ ...connected, details: named }],
    );
    const { extensions } = store.snapshot.get();
    const record = store.get(numero);
    const reconnect = () => {
      listener.connection(false);
      pass(60);
      listener.connection(true);
    };
    reconnect();
    listener.extensions(new Set(['details', 'unlink']));
    pass(60);
    assert.equal(store.snapshot.get().extensions, extensions);
    assert.equal(store.get(numero), record);
    reconnect();
    pass(3);
    assert.equal(store.snapshot.get().extensions.size, 0);
    assert.deepEqual(details(), {});
  });

  it('is forgotten where a later announcement lacks it', async () => {
    const { store, listener, details } = await panel(['details'], [{ ...connected, details: named }]);
    listener.extensions(new Set(['link']));
    pass(0.25);
    assert.deepEqual([...store.snapshot.get().extensions], ['link']);
    assert.deepEqual(details(), {});
  });

  it('is followed by the screen four times a second at most, and counts at once', async () => {
    const { store, listener, numeros } = await panel(['presence']);
    let changes = 0;
    store.snapshot.subscribe(() => (changes += 1));
    for (let time = 0; time < 100; time += 1) {
      listener.extensions(new Set(time % 2 ? [] : ['details', 'presence']));
      mock.timers.tick(20);
    }
    assert.ok(changes <= 8, `${changes} in two seconds`);
    listener.extensions(new Set(['presence']));
    listener.push({ type: 'created', numero: other, session: created, details: {} });
    assert.deepEqual(numeros(), [numero, other]);
    pass(0.25);
    assert.deepEqual([...store.snapshot.get().extensions], ['presence']);
  });
});

describe('by what the server tells people', () => {
  it('is known from its last announcement, and forgotten soon after a reconnection without one', async () => {
    const { store, listener } = await panel(['details']);
    const { extensions } = store.snapshot.get();
    const shown = () => store.snapshot.get().notifies;
    for (const by of ['webhook', 'webhook y WhatsApp', undefined, 'webhook']) {
      listener.extensions(extensions, by);
      pass(0.25);
      assert.equal(shown(), by);
    }
    listener.connection(false);
    pass(60);
    assert.equal(shown(), 'webhook');
    listener.connection(true);
    pass(3);
    assert.equal(shown(), undefined);
  });
});

describe('a flood of pushes', () => {
  it('is taken turn by turn, the last of each kind about a session', async () => {
    const list = [numero, other].map((one) => ({ ...connected, numero: one }));
    const { store, listener, notices } = await panel([], list);
    let changes = 0;
    store.changes.add(() => (changes += 1));
    for (let time = 1; time <= 20_000; time += 1) {
      const one = time % 2 ? numero : other;
      listener.push({ type: 'change_state', numero: one, state: `S${time}` });
      listener.push({ type: 'authenticated', numero: one });
    }
    assert.ok(changes <= 50, `${changes} at once`);
    pass(0.25);
    assert.deepEqual(
      [store.get(numero)?.session.state, store.get(other)?.session.state],
      ['S19999', 'S20000'],
    );
    assert.ok(changes + notices.length <= 100, `${changes} changes, ${notices.length} notices`);
  });

  it('tells of those who came and went once a turn, and lets in no more than a list may have', async () => {
    const { store, listener, numeros } = await panel(['presence']);
    let lists = 0;
    store.numeros.subscribe(() => (lists += 1));
    for (let index = 0; index < 30_000; index += 1) {
      const one = String(index);
      listener.push({ type: 'created', numero: one, session: { ...created, numero: one }, details: {} });
    }
    pass(5);
    assert.ok(lists < 110, `${lists}`);
    assert.equal(numeros().length, 10_000);
  });
});

describe('with presence', () => {
  it('a session comes to the end of the list, and goes, without a fetch', async () => {
    const { store, listener, fetches, numeros, events } = await panel(['presence', 'details']);
    listener.push({ type: 'created', numero: other, session: created, details: named });
    assert.deepEqual(numeros(), [numero, other]);
    assert.deepEqual(store.get(other)?.session, created);
    assert.deepEqual(store.get(other)?.details, named);
    listener.push({ type: 'deleted', numero });
    assert.deepEqual(numeros(), [other]);
    pass(60);
    assert.equal(fetches(), 0);
    const changes = events.filter(({ name }) => name === 'wo-session-change');
    assert.deepEqual(
      changes.map(({ detail }) => detail),
      [
        {
          numero: other,
          state: 'AUTENTICANDO...',
          previousState: undefined,
          asks: 'wait',
          dropped: false,
        },
        { numero, state: undefined, previousState: 'CONNECTED', asks: undefined, dropped: false },
      ],
    );
  });

  it('pushes for strangers and disconnections lead to no fetch', async () => {
    const { listener, fetches, numeros } = await panel(['presence', 'details', 'pairing', 'ack']);
    listener.push({ type: 'ready', numero: other });
    listener.push({ type: 'details', numero: other, change: named });
    listener.push({ type: 'code', numero: other, pairing: { code: 'ABCD1234', expires: 1 } });
    listener.push({ type: 'ack', numero: other, id: '1', status: 'read' });
    listener.push({ type: 'deleted', numero: other });
    listener.push({ type: 'disconnected', numero });
    pass(60);
    assert.equal(fetches(), 0);
    assert.deepEqual(numeros(), [numero]);
  });

  it('a list under way does not lose what was pushed meanwhile', async () => {
    const lists = held<Session[]>();
    const calls = { list: (signal: AbortSignal) => lists.call('', signal) };
    const { store, listener } = await joined([], calls);
    listener.extensions(new Set(['presence', 'details', 'pairing']));
    const third = { ...connected, numero: '3' };
    listener.push({ type: 'details', numero, change: { label: 'Ventas', since: 1 } });
    listener.push({ type: 'details', numero, change: { since: 2 } });
    listener.push({ type: 'code', numero: other, pairing: { code: 'ABCD1234', expires: 9 } });
    listener.push({ type: 'created', numero: other, session: created, details: { group: 'Sur' } });
    listener.push({ type: 'details', numero: other, change: { label: 'Caja' } });
    listener.push({ type: 'deleted', numero: '3' });
    await lists.answer([{ ...connected, state: 'OPENING' }, third]);
    assert.deepEqual(store.numeros.get(), [numero, other]);
    assert.deepEqual(store.get(numero)?.details, { label: 'Ventas', since: 2 });
    assert.deepEqual(store.get(other)?.details, { group: 'Sur', label: 'Caja' });
    assert.deepEqual(store.get(other)?.pairing, { code: 'ABCD1234', expires: 9 });
  });

  it('details from before a new session of the same numero are not those of the new one', async () => {
    const lists = held<Session[]>();
    const { store, listener } = await joined([], { list: (signal) => lists.call('', signal) });
    listener.extensions(new Set(['presence', 'details']));
    listener.push({ type: 'details', numero, change: { label: 'Ventas', group: 'Norte' } });
    listener.push({ type: 'deleted', numero });
    listener.push({ type: 'created', numero, session: connected, details: { label: 'Caja' } });
    await lists.answer([connected]);
    assert.deepEqual(store.get(numero)?.details, { label: 'Caja' });
  });

  it('a session that was added here is listed once, whatever comes first', async () => {
    const starts = held<string>();
    const { store, listener, numeros, notices } = await panel(['presence'], [connected], {
      start: starts.call,
    });
    const adding = store.up(other);
    await settled();
    listener.push({ type: 'created', numero: other, session: created, details: {} });
    listener.push({ type: 'qr', numero: other, qrCode: '2@1' });
    await starts.answer(other);
    await adding;
    assert.deepEqual(numeros(), [numero, other]);
    assert.equal(store.get(other)?.session.qrCode, '2@1');
    assert.deepEqual(notices, [`positive: La sesión de ${other} comenzará a levantarse`]);
  });

  for (const isLate of [false, true]) {
    it(`a start that waited for a deletion is not taken for deleted by its push${isLate ? ', nor where the creation is late' : ''}`, async () => {
      const [deletions, starts] = [held<string | undefined>(), held<string>()];
      const calls = { delete: deletions.call, start: starts.call };
      const { store, listener, notices, numeros } = await panel(['presence'], [connected], calls);
      const deleting = store.delete(numero);
      const starting = store.up(numero);
      await deletions.answer(undefined);
      await deleting;
      listener.push({ type: 'deleted', numero });
      const session = { ...created, numero };
      const create = () => listener.push({ type: 'created', numero, session, details: {} });
      if (!isLate) create();
      await starts.answer(numero);
      await starting;
      if (isLate) create();
      assert.deepEqual(numeros(), [numero]);
      assert.deepEqual(store.get(numero)?.session, session);
      assert.deepEqual(notices, [
        `positive: La sesión de ${numero} ha sido eliminada`,
        `positive: La sesión de ${numero} comenzará a levantarse`,
      ]);
    });
  }

  it('a session that goes while it is deleted here is deleted without an error', async () => {
    const deletions = held<string | undefined>();
    const { store, listener, numeros, notices } = await panel(['presence'], [connected], {
      delete: deletions.call,
    });
    const deleting = store.delete(numero);
    listener.push({ type: 'deleted', numero });
    assert.deepEqual(numeros(), []);
    await deletions.answer(undefined);
    await deleting;
    assert.deepEqual(notices, [`positive: La sesión de ${numero} ha sido eliminada`]);
  });
});

describe('details', () => {
  it('say that a session was unlinked before it is disconnected: then it has not dropped', async () => {
    const { store, listener } = await panel(['details']);
    const fall = (code: string) => {
      listener.push({ type: 'ready', numero });
      listener.push({ type: 'details', numero, change: { reason: { code, text: 'Por algo' } } });
      listener.push({ type: 'disconnected', numero });
      return store.get(numero)?.status.droppedAt;
    };
    assert.equal(fall('unlinked'), undefined);
    assert.notEqual(fall('logged-out'), undefined);
  });

  it('of the list say so of a session that was unlinked while the panel was offline', async () => {
    const fall = async (code: string) => {
      const list: ListedSession[] = [connected];
      const { store } = await panel(['details'], list);
      list[0] = { ...connected, state: 'DESCONECTADO', details: { reason: { code, text: 'Por algo' } } };
      await store.refresh();
      return store.get(numero)?.status.droppedAt;
    };
    assert.equal(await fall('unlinked'), undefined);
    assert.notEqual(await fall('logged-out'), undefined);
  });

  it('change one by one, and keep their identity while they say the same', async () => {
    const reason = { code: 'logged-out', text: 'Se cerró desde el teléfono' };
    const link = { id: 'a1', expires: 5 };
    const { store, listener, details } = await panel(
      ['details'],
      [
        { ...connected, details: { ...named, reason, link } },
        { ...connected, numero: other },
      ],
    );
    const first = store.get(numero);
    const woken: string[] = [];
    watch(store, numero, () => woken.push(numero));
    watch(store, other, () => woken.push(other));
    listener.push({
      type: 'details',
      numero,
      change: { label: 'Ventas', reason: { ...reason }, link: { ...link } },
    });
    await store.refresh();
    assert.equal(store.get(numero), first);
    assert.deepEqual(woken, []);
    listener.push({ type: 'details', numero, change: { name: 'Tienda', reason: undefined, since: 7 } });
    assert.deepEqual(details(), { ...named, name: 'Tienda', since: 7, link });
    assert.deepEqual(woken, [numero]);
  });

  it('two thousand at once are read', async () => {
    const list = Array.from({ length: 2_000 }, (_, index) => ({ ...connected, numero: String(index) }));
    const { store, listener } = await panel(['details'], list);
    for (const { numero: one } of list)
      listener.push({ type: 'details', numero: one, change: { label: `Etiqueta ${one}` } });
    pass(1);
    assert.equal([...store.records].filter(({ details }) => details.label).length, 2_000);
  });

  it('of a session that is being deleted are there if that fails', async () => {
    const deletions = held<string | undefined>();
    const { store, listener, details } = await panel(['details'], [connected], { delete: deletions.call });
    const deleting = store.delete(numero);
    listener.push({ type: 'details', numero, change: { since: 7 } });
    await deletions.answer(new Error('Network Error'));
    await deleting;
    assert.deepEqual(details(), { since: 7 });
  });

  it('are no step of the history', async () => {
    const { store, listener } = await panel(['details']);
    listener.push({ type: 'details', numero, change: named });
    assert.equal(store.get(numero)?.history.length, 1);
  });
});

describe("the page's labels", () => {
  it("win over the server's, field by field, and need no extension", async () => {
    const { store, listener, details } = await panel([], [{ ...connected, details: named }]);
    store.setLabels(
      new Map([
        [numero, { label: 'Del portal' }],
        ['no one', { label: 'Nadie' }],
      ]),
    );
    assert.deepEqual(details(), { label: 'Del portal' });
    assert.equal(store.snapshot.get().namedByHost, true);
    listener.extensions(new Set(['details']));
    pass(0.25);
    assert.deepEqual(details(), { label: 'Del portal', group: 'Norte' });
    listener.push({ type: 'details', numero, change: { label: 'Otra', group: 'Sur' } });
    assert.deepEqual(details(), { label: 'Del portal', group: 'Sur' });
    store.setLabels(new Map([[numero, { label: 'Del portal', group: '' }]]));
    assert.deepEqual(details(), { label: 'Del portal' });
    store.setLabels(undefined);
    assert.deepEqual(details(), { label: 'Otra', group: 'Sur' });
    assert.equal(store.snapshot.get().namedByHost, false);
  });

  it('that say the same wake no card', async () => {
    const { store } = await panel([]);
    store.setLabels(new Map([[numero, { label: 'Del portal' }]]));
    watch(store, numero, () => assert.fail('nothing has changed'));
    store.setLabels(new Map([[numero, { label: 'Del portal' }]]));
  });
});

describe('a code to type on the phone', () => {
  const pairing = { code: 'ABCD1234', expires: Date.UTC(2026, 0, 1, 1) };

  it('comes with the answer or a push, and goes with a push or the connection of the session', async () => {
    const { store, listener } = await panel(['pairing'], [created], { pair: async () => pairing });
    const code = () => store.get(other)?.pairing;
    assert.deepEqual(await store.pair(other), { numero: other });
    assert.deepEqual(code(), pairing);
    listener.push({ type: 'code', numero: other, pairing: undefined });
    assert.equal(code(), undefined);
    listener.push({ type: 'code', numero: other, pairing });
    assert.deepEqual(code(), pairing);
    listener.push({ type: 'ready', numero: other });
    assert.equal(code(), undefined);
  });

  describe('does not stand beside what comes after it', () => {
    const withCode: Session = { numero, state: 'AUTENTICANDO...', waiting: false, qrCode: '2@1' };

    async function withPairing() {
      let list = [withCode];
      const start = held<string>();
      const { store, listener } = await panel(['pairing', 'details'], [], {
        list: async () => list,
        start: start.call,
      });
      listener.push({ type: 'code', numero, pairing });
      assert.deepEqual(store.get(numero)?.pairing, pairing);
      return {
        store,
        listener,
        start,
        /** The session was started again by another panel. */
        restarted() {
          list = [{ ...withCode, qrCode: '2@another-start' }];
        },
      };
    }

    it('where the news was lost with the connection: a list without one', async () => {
      const { store, listener, restarted } = await withPairing();
      listener.connection(false);
      restarted();
      await store.refresh();
      assert.equal(store.get(numero)?.session.qrCode, '2@another-start');
      assert.equal(store.get(numero)?.pairing, undefined);
    });

    it('where the news was lost with the connection: the connection is back', async () => {
      const { store, listener, restarted } = await withPairing();
      listener.connection(false);
      restarted();
      pass(3);
      listener.connection(true);
      listener.extensions(new Set(['pairing', 'details']));
      await settled();
      assert.equal(store.get(numero)?.session.qrCode, '2@another-start');
      assert.equal(store.get(numero)?.pairing, undefined);
      listener.push({ type: 'code', numero, pairing });
      assert.deepEqual(store.get(numero)?.pairing, pairing);
    });

    it('where the session starts anew, unless the new start has one', async () => {
      const { store, listener, start } = await withPairing();
      const first = store.up(numero);
      await settled();
      await start.answer(numero);
      await first;
      assert.equal(store.get(numero)?.pairing, undefined);
      const second = store.up(numero);
      await settled();
      listener.push({ type: 'code', numero, pairing });
      await start.answer(numero);
      await second;
      assert.deepEqual(store.get(numero)?.pairing, pairing);
    });
  });
});

describe('what is still open when its extension is withdrawn', () => {
  it('calls nothing, and says why', async () => {
    const all: Extension[] = ['details', 'label', 'unlink', 'pairing', 'link', 'history'];
    const call = mock.fn(async () => assert.fail('the server has been called'));
    const calls = { rename: call, unlink: call, pair: call, createLink: call, revokeLink: call };
    const { store, listener, notices } = await panel(all, [connected], { ...calls, history: call });
    listener.extensions(new Set(['details']));
    const said = 'El servidor ya no lo ofrece.';
    assert.equal((await store.rename(numero, { label: 'Otra' })).error?.message, said);
    assert.equal((await store.unlink(numero)).error?.message, said);
    assert.equal((await store.pair(numero)).error?.message, said);
    assert.equal((await store.revokeLink(numero)).error?.message, said);
    assert.ok((await store.createLink(numero)) instanceof Error);
    await assert.rejects(store.loadHistory(numero), { message: said });
    assert.equal(call.mock.callCount(), 0);
    assert.deepEqual(notices, Array(5).fill(`negative: ${said}`));
  });
});

describe('an answer that pushes have overtaken', () => {
  const signal = new AbortController().signal;

  it('does not bring back the name before that of another panel', async () => {
    const answers = held<Naming>();
    const { store, listener, details } = await panel(['details', 'label'], [connected], {
      rename: () => answers.call(numero, signal),
    });
    const renaming = store.rename(numero, { label: 'Nuestra', group: 'Norte' });
    await settled();
    listener.push({ type: 'details', numero, change: { label: 'Nuestra' } });
    listener.push({ type: 'details', numero, change: { label: 'De otro' } });
    listener.push({ type: 'details', numero: other, change: { label: 'Otra' } });
    await answers.answer({ label: 'Nuestra', group: 'Norte' });
    assert.deepEqual(await renaming, { numero });
    assert.deepEqual(details(), { label: 'De otro', group: 'Norte' });
  });

  it('does not bring back a code to type that is over', async () => {
    const pairing = { code: 'ABCD1234', expires: Date.UTC(2026, 0, 1, 1) };
    const answers = held<typeof pairing>();
    const { store, listener } = await panel(['pairing'], [created], {
      pair: () => answers.call(other, signal),
    });
    const asking = store.pair(other);
    await settled();
    listener.push({ type: 'code', numero: other, pairing });
    listener.push({ type: 'code', numero: other, pairing: undefined });
    await answers.answer(pairing);
    assert.deepEqual(await asking, { numero: other });
    assert.equal(store.get(other)?.pairing, undefined);
  });
});

describe('a test message', () => {
  const message = { from: numero, to: other, text: 'Hola' };
  const now = Date.UTC(2026, 0, 1);

  it('has no course without the extension', async () => {
    const { store } = await panel([], [connected], { send: async () => 'A1' });
    await store.send(message);
    assert.equal(store.get(numero)?.lastMessage, undefined);
  });

  it('follows its acks, and no others', async () => {
    const { store, listener } = await panel(['ack'], [connected], { send: async () => 'A1' });
    const last = () => store.get(numero)?.lastMessage;
    await store.send(message);
    assert.deepEqual(last(), { id: 'A1', status: 'accepted', at: now });
    const accepted = last();
    listener.push({ type: 'ack', numero, id: 'B2', status: 'read' });
    listener.push({ type: 'ack', numero: '1', id: 'A1', status: 'read' });
    assert.equal(last(), accepted);
    listener.push({ type: 'ack', numero, id: 'A1', status: 'device' });
    listener.push({ type: 'ack', numero, id: 'A1', status: 'server' });
    listener.push({ type: 'ack', numero, id: 'A1', status: 'failed', error: 'No' });
    assert.deepEqual(last(), { id: 'A1', status: 'device', error: undefined, at: now });
    listener.push({ type: 'ack', numero, id: 'A1', status: 'read' });
    assert.equal(last()?.status, 'read');
  });

  it('knows an ack that came before the answer, and why it failed', async () => {
    const answers = held<string>();
    const { store, listener } = await panel(['ack'], [connected], {
      send: () => answers.call(numero, new AbortController().signal),
    });
    const sending = store.send(message);
    listener.push({ type: 'ack', numero, id: 'B2', status: 'read' });
    listener.push({ type: 'ack', numero, id: 'A1', status: 'failed', error: 'No tiene WhatsApp' });
    await answers.answer('A1');
    await sending;
    const { lastMessage } = store.get(numero) ?? {};
    assert.deepEqual(lastMessage, {
      id: 'A1',
      status: 'failed',
      error: 'No tiene WhatsApp',
      at: now,
    });
  });

  it('is sent though the answer has no id', async () => {
    const { store, notices } = await panel(['ack']);
    await store.send(message);
    assert.deepEqual(notices, [`positive: Mensaje enviado a ${other}`]);
    assert.equal(store.get(numero)?.lastMessage, undefined);
  });
});

describe('a server that announces what it cannot do', () => {
  it('is given up after a minute without an answer', async () => {
    const { list: _, ...calls } = overHttp(() => Response.json({}));
    mock.method(globalThis, 'fetch', () => new Promise(() => {}));
    const { store, notices } = await panel(['pairing', 'history'], [connected], calls);
    const ends = Promise.allSettled([store.pair(numero), store.loadHistory(numero)]);
    await settled();
    pass(61);
    const [pairing, history] = await ends;
    assert.deepEqual(notices, ['negative: timeout of 60000 ms exceeded']);
    assert.equal(pairing.status, 'fulfilled');
    assert.equal(history.status, 'rejected');
  });

  const ANSWERS: readonly [answer: string, () => Response, said: string][] = [
    ['404', () => new Response('', { status: 404 }), 'Request failed with status code 404'],
    [
      '500',
      () => Response.json({ message: 'Falló' }, { status: 500 }),
      'Request failed with status code 500: Falló',
    ],
    ['nothing', () => Response.error(), 'Network Error'],
    ['no JSON', () => new Response('sí'), 'El servidor respondió con datos que el panel no entiende.'],
    ['nonsense', () => Response.json(42), 'El servidor respondió con datos que el panel no entiende.'],
  ];
  for (const [answer, response, said] of ANSWERS) {
    it(`is one sentence to each action: ${answer}`, async () => {
      const { list: _, ...calls } = overHttp((request) =>
        answer === 'nothing'
          ? (() => {
              throw new TypeError('fetch failed');
            })()
          : request && response(),
      );
      const all: Extension[] = ['details', 'label', 'unlink', 'pairing', 'link', 'history'];
      const { store, notices, events } = await panel(all, [{ ...connected, details: named }], calls);
      const isRead = answer !== 'no JSON' && answer !== 'nonsense';
      assert.ok((await store.rename(numero, { label: 'Otra' })).error);
      assert.ok((await store.pair(numero)).error);
      assert.ok((await store.createLink(numero)) instanceof Error);
      await assert.rejects(store.loadHistory(numero), { message: said });
      // Their answers are not read.
      assert.equal(!!(await store.unlink(numero)).error, isRead);
      assert.equal(!!(await store.revokeLink(numero)).error, isRead);
      assert.deepEqual(new Set(notices), new Set([`negative: ${said}`]));
      assert.equal(notices.length, isRead ? 5 : 3);
      assert.deepEqual(
        events.flatMap((event) => (event.name === 'wo-error' ? event.detail.action : [])),
        isRead ? ['rename', 'pair', 'link', 'unlink', 'link'] : ['rename', 'pair', 'link'],
      );
      assert.deepEqual(store.get(numero)?.session, connected);
      assert.deepEqual(store.get(numero)?.details, named);
    });
  }
});
