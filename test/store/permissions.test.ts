import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { happened } from '../../src/card/history-entry.tsx';
import { abilitiesIn } from '../../src/context/panel-context.ts';
import { createParser } from '../../src/server/parse.ts';
import { adviceOn } from '../../src/session/advice.ts';
import type { Session } from '../../src/session/session.ts';
import { held, joined, pass, settled, stopTime, t } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const ABILITIES = ['codes', 'start', 'send', 'label', 'unlink', 'delete', 'pairing', 'link'] as const;

stopTime();

/** A panel of a server with extensions, and what it offers. */
async function panel(...[list = [connected], calls]: Partial<Parameters<typeof joined>>) {
  const joinedPanel = await joined(list, calls);
  const { store, listener } = joinedPanel;
  listener.connection(true);
  listener.extensions(new Set(['presence', 'details', 'label', 'unlink', 'pairing', 'link']));
  await settled();
  return {
    ...joinedPanel,
    offered: (readOnly = false) => ABILITIES.filter(abilitiesIn(store.snapshot.get(), readOnly)),
  };
}

describe('what a user may do', () => {
  it('is everything, unless the server says otherwise', async () => {
    const { listener, offered } = await panel();
    assert.deepEqual(offered(), ABILITIES);
    listener.permissions(new Set(['codes', 'label', 'fly']));
    assert.deepEqual(offered(), ['codes', 'label', 'pairing', 'link']);
    pass(0.25);
    listener.permissions(new Set());
    assert.deepEqual(offered(), []);
  });

  it('is nothing in a read-only panel', async () => {
    const { offered } = await panel();
    assert.deepEqual(offered(true), []);
  });

  it('is only what the server can do, and names no session that the page names', async () => {
    const { store, listener, offered } = await panel();
    store.setLabels(new Map());
    assert.ok(!offered().includes('label'));
    listener.extensions(new Set());
    pass(0.25);
    assert.deepEqual(offered(), ['codes', 'start', 'send', 'delete']);
  });

  it('is the same until soon after a reconnection, and then everything unless it is told again', async () => {
    const { store, listener, offered } = await panel();
    listener.permissions(new Set(['send']));
    const { permissions } = store.snapshot.get();
    const reconnect = () => {
      listener.connection(false);
      pass(60);
      listener.connection(true);
    };
    reconnect();
    listener.permissions(new Set(['send']));
    pass(60);
    assert.equal(store.snapshot.get().permissions, permissions);
    reconnect();
    pass(1);
    assert.deepEqual(offered(), ['send']);
    pass(2);
    assert.ok(offered().includes('delete'));
  });

  for (const payload of [null, 7, 'start', {}, { actions: 'start' }, { actions: { start: true } }])
    it(`is nothing where it cannot be read: ${JSON.stringify(payload)}`, () => {
      assert.deepEqual([...createParser(t).permissions([payload])], []);
    });
});

describe('who did something', () => {
  it('is in the entries of the state that they caused, and in no other', async () => {
    const { call, answer } = held<string | undefined>();
    const { store, listener } = await panel([connected], { delete: call });
    const last = (place = -1) => {
      const entry = store.get(numero)?.history.at(place);
      return entry && happened(t, entry);
    };
    listener.push({ type: 'details', numero, change: { by: 'Ana' } });
    listener.push({ type: 'disconnected', numero });
    assert.equal(last(), 'Se desconectó · por Ana');
    void store.delete(numero);
    assert.equal(last(), 'Se pidió eliminarla');
    await answer(new Error('no'));
    assert.equal(last(-2), 'No se eliminó; sigue en la lista: DESCONECTADO');
    await store.up(numero);
    assert.equal(last(), 'Comenzó a levantarse');
    assert.equal(store.get(numero)?.details.by, undefined);
    listener.push({ type: 'details', numero, change: { by: 'Ana' } });
    listener.push({ type: 'qr', numero, qrCode: '2@x' });
    assert.equal(last(), 'Código nuevo');
  });

  it('is said once, in the line of the reason', async () => {
    const { store, listener } = await panel();
    const reason = { code: 'unlinked', text: 'Ana la desvinculó desde un panel.' };
    for (const [by, told] of [
      ['Eva', 'Ana la desvinculó desde un panel · por Eva'],
      ['Ana', reason.text],
    ]) {
      listener.push({ type: 'details', numero, change: { by, reason } });
      listener.push({ type: 'disconnected', numero });
      const record = store.get(numero);
      assert.deepEqual(record && adviceOn({ t, may: () => true }, record), [[told, undefined]]);
    }
    const entry = { at: 0, event: 'disconnected', state: 'DESCONECTADO', detail: reason.text, by: 'Ana' };
    assert.equal(happened(t, entry), 'Se desconectó. Ana la desvinculó desde un panel');
  });

  it('is in one line, without control characters', () => {
    const push = createParser(t).push('session:deleted', [{ numero, notice: ' A\u202en\na ' }]);
    assert.deepEqual(push, { type: 'deleted', numero, notice: 'An a' });
  });

  it('is told of a deletion, with the name of the session', async () => {
    const { store, listener, notices } = await panel();
    const names: (string | undefined)[] = [];
    store.notices.subscribe(() => names.push(store.notices.get().at(-1)?.name));
    listener.push({ type: 'details', numero, change: { label: 'Ventas' } });
    listener.push({ type: 'deleted', numero, notice: 'Eliminada por Ana' });
    listener.push({ type: 'deleted', numero, notice: 'Eliminada por Ana' });
    assert.deepEqual(notices, ['positive: Eliminada por Ana']);
    assert.deepEqual(names, ['Ventas']);
  });

  it('is not told of a deletion of this panel, nor where nobody is named', async () => {
    const answers = held<undefined>();
    const other = { ...connected, numero: '34600000001' };
    const { store, listener, notices } = await panel([connected, other], { delete: answers.call });
    void store.delete(numero);
    await settled();
    listener.push({ type: 'deleted', numero, notice: 'Eliminada por Ana' });
    await answers.answer(undefined);
    listener.push({ type: 'deleted', numero: other.numero });
    assert.deepEqual(notices, [`positive: La sesión de ${numero} ha sido eliminada`]);
  });
});
