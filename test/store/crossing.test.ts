import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Push, Session } from '../../src/session/session.ts';
import { held, joined, pass, settled, stopTime, watch } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const down: Session = { numero, state: 'DESCONECTADO', waiting: false };
const created: Session = { numero, state: 'AUTENTICANDO...', waiting: true };
const withCode: Session = { numero, state: 'AUTENTICANDO...', qrCode: '2@listed', waiting: false };
const started = `positive: La sesión de ${numero} comenzará a levantarse`;
const deleted = `positive: La sesión de ${numero} ha sido eliminada`;

stopTime();

/** A panel whose calls the test answers. The first list has come. */
async function panel(list: readonly Session[]) {
  const [starts, deletions, lists] = [held<string>(), held<string | undefined>(), held<Session[]>()];
  const joining = await joined([], {
    start: starts.call,
    delete: deletions.call,
    list: (signal) => lists.call('', signal),
  });
  await lists.answer([...list]);
  return {
    ...joining,
    starts,
    deletions,
    lists,
    async up() {
      void joining.store.up(numero);
      await settled();
    },
    async remove() {
      void joining.store.delete(numero);
      await settled();
    },
    /** A list that is asked for and answered now. */
    async list(sessions: readonly Session[]) {
      void joining.store.refresh();
      await lists.answer([...sessions]);
    },
  };
}

describe('a start and a deletion', () => {
  it('a start during a deletion waits for its end', async () => {
    const { starts, deletions, up, remove, session, notices } = await panel([connected]);
    await remove();
    await up();
    assert.deepEqual(starts.asked, []);
    await deletions.answer(undefined);
    await starts.answer(numero);
    assert.deepEqual(session(numero), created);
    assert.deepEqual(notices, [deleted, started]);
  });

  it('a start that is answered after the deletion restores nothing', async () => {
    const { starts, deletions, up, remove, session, notices } = await panel([connected]);
    await up();
    await remove();
    await deletions.answer(undefined);
    await starts.answer(numero);
    assert.equal(session(numero), undefined);
    assert.deepEqual(notices, [deleted]);
  });

  it('a start that is answered during the deletion leaves the session closing', async () => {
    const { starts, up, remove, session } = await panel([connected]);
    await up();
    await remove();
    await starts.answer(numero);
    assert.equal(session(numero)?.state, 'CERRANDO SESIÓN...');
  });

  it('a start that is answered after a list without the deleted session restores nothing', async () => {
    const { starts, up, remove, list, session, notices } = await panel([connected]);
    await up();
    await remove();
    await list([]);
    await starts.answer(numero);
    assert.equal(session(numero), undefined);
    assert.deepEqual(notices, []);
  });

  it('a session that one list lacks and the next has is still closing', async () => {
    const { deletions, remove, list, session } = await panel([connected]);
    await remove();
    await list([]);
    await list([connected]);
    assert.equal(session(numero)?.state, 'CERRANDO SESIÓN...');
    await deletions.answer(undefined);
    assert.equal(session(numero), undefined);
  });

  it('news of a closing session notifies nobody', async () => {
    const { store, listener, remove, list } = await panel([connected]);
    await remove();
    watch(store, numero, () => assert.fail('nothing is to be seen'));
    await list([connected]);
    listener.push({ type: 'change_state', numero, state: 'OPENING' });
  });

  it('an end during a start belongs to the earlier life where the server answers another numero', async () => {
    const { store, listener, starts, session } = await panel([connected]);
    void store.up(`+${numero}`);
    await settled();
    listener.push({ type: 'disconnected', numero });
    await starts.answer(numero);
    assert.deepEqual(session(numero), created);
  });

  it('the deletion of a session that is gone sends no request', async () => {
    const { deletions, list, remove, notices } = await panel([connected]);
    await list([]);
    await remove();
    assert.deepEqual(deletions.asked, []);
    assert.deepEqual(notices, [deleted]);
  });

  it('each is sent once while it is under way', async () => {
    const { starts, deletions, up, remove } = await panel([connected]);
    for (let time = 0; time < 3; time += 1) {
      await up();
      await remove();
    }
    assert.deepEqual([starts.asked, deletions.asked], [[numero], [numero]]);
  });
});

describe('a start and news meanwhile', () => {
  const code: Push = { type: 'qr', numero, qrCode: '2@new' };
  const end: Push = { type: 'disconnected', numero };
  const cases: readonly [
    what: string,
    before: readonly Session[],
    pushes: readonly Push[],
    after: Session,
  ][] = [
    ['a code that overtakes the answer stays', [down], [code], { ...withCode, qrCode: '2@new' }],
    ['a code whose life had ended before the answer does not come back', [down], [code, end], down],
    ['nor does it where the session is new', [], [code, end], down],
    ['the end of a session that was down is its end', [down], [end], down],
    ['also when its codes ran out', [down], [{ type: 'qr_timeout', numero }], down],
    ['the end of one that was up is that of the life before', [connected], [end], created],
    ['and the code after that end stays', [connected], [end, code], { ...withCode, qrCode: '2@new' }],
  ];
  for (const [what, before, pushes, after] of cases) {
    it(what, async () => {
      const { listener, starts, up, session, notices } = await panel(before);
      await up();
      for (const push of pushes) listener.push(push);
      await starts.answer(numero);
      assert.deepEqual(session(numero), after);
      assert.deepEqual(notices, [started]);
    });
  }

  it('a list that came meanwhile wins', async () => {
    const { starts, up, list, session, notices } = await panel([down]);
    await up();
    await list([withCode]);
    await starts.answer(numero);
    assert.deepEqual(session(numero), withCode);
    assert.deepEqual(notices, [started]);
  });

  it('a list that only repeats what was shown does not win', async () => {
    const starts = held<string>();
    const { store, session } = await joined([down], { start: starts.call });
    void store.up(numero);
    await settled();
    await store.refresh();
    await starts.answer(numero);
    assert.equal(session(numero)?.waiting, true);
  });

  it('a list without the session does not win', async () => {
    const { starts, up, list, session } = await panel([]);
    await up();
    await list([]);
    await starts.answer(numero);
    assert.deepEqual(session(numero), created);
  });

  it('a failure is cleared by a successful retry, also when a list came in between', async () => {
    const { starts, up, list, says } = await panel([down]);
    await up();
    await starts.answer(new Error('no'));
    assert.match(says(numero) ?? '', /^No se pudo levantar/);
    await up();
    await list([down]);
    await starts.answer(numero);
    assert.doesNotMatch(says(numero) ?? '', /No se pudo/);
  });

  it('the session gets the numero that the server answers', async () => {
    const { starts, up, store, notices } = await panel([]);
    await up();
    await starts.answer('5491155550009');
    assert.deepEqual(store.numeros.get(), ['5491155550009']);
    assert.deepEqual(notices, ['positive: La sesión de 5491155550009 comenzará a levantarse']);
  });
});

describe('a deletion and news meanwhile', () => {
  it('shows as closing to its end; if it fails, shows what the server last said', async () => {
    const { listener, deletions, list, remove, session, notices, store } = await panel([connected]);
    await remove();
    const closing = { numero, state: 'CERRANDO SESIÓN...', waiting: true };
    assert.deepEqual(session(numero), closing);
    listener.push({ type: 'change_state', numero, state: 'OPENING' });
    await list([{ ...connected, state: 'UNPAIRED' }]);
    assert.deepEqual(session(numero), closing);
    await deletions.answer(new Error('Request failed with status code 500'));
    assert.deepEqual(session(numero), { ...connected, state: 'UNPAIRED' });
    assert.deepEqual(notices, ['negative: Request failed with status code 500']);
    assert.deepEqual(store.numeros.get(), [numero]);
  });

  it('if it fails, a code that came meanwhile keeps its age', async () => {
    const { listener, deletions, remove, status } = await panel([withCode]);
    await remove();
    listener.push({ type: 'qr', numero, qrCode: '2@later' });
    pass(63);
    await deletions.answer(new Error('no'));
    assert.equal(status(numero)?.codeLife, 'expired');
  });
});

describe('a list and a push', () => {
  it('a push during the fetch wins', async () => {
    const { store, listener, lists, session } = await panel([created]);
    void store.refresh();
    listener.push({ type: 'ready', numero });
    const other = { ...connected, numero: '5491155550002' };
    await lists.answer([{ ...created, state: 'VIEJO' }, other]);
    assert.deepEqual(session(numero), connected);
    assert.deepEqual(store.numeros.get(), [numero, other.numero]);
  });

  it('a push during the first fetch wins, and its notice follows', async () => {
    const lists = held<Session[]>();
    const { listener, session, notices } = await joined([], { list: (signal) => lists.call('', signal) });
    listener.push({ type: 'authenticated', numero });
    listener.push({ type: 'authenticated', numero: 'not listed' });
    listener.push({ type: 'ready', numero });
    await lists.answer([withCode]);
    assert.deepEqual(session(numero), connected);
    assert.deepEqual(notices, [`positive: Sesión de ${numero} autenticada y lista para usarse`]);
  });

  it('of two lists the one requested later wins', async () => {
    const { store, lists, session } = await panel([created]);
    void store.refresh();
    void store.refresh();
    await lists.answer([connected], -1);
    await lists.answer([down]);
    assert.deepEqual(session(numero), connected);
  });

  it('a push about an unlisted numero adds and reports nothing', async () => {
    const { store, listener, notices } = await panel([connected]);
    for (const type of ['authenticated', 'ready', 'disconnected'] as const)
      listener.push({ type, numero: '34600000000' });
    listener.push({ type: 'qr', numero: '34600000000', qrCode: '2@1' });
    assert.deepEqual(store.numeros.get(), [numero]);
    assert.deepEqual(notices, []);
  });

  it('repeated notices replace each other', async () => {
    const { store, listener, notices } = await panel([withCode]);
    const keys = new Set<string | undefined>();
    store.notices.subscribe(() => keys.add(store.notices.get().at(-1)?.replaceKey));
    for (let time = 0; time < 3; time += 1) listener.push({ type: 'authenticated', numero });
    assert.equal(notices.length, 3);
    assert.deepEqual([...keys], [`authenticated ${numero}`]);
  });
});
