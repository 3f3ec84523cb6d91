import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { happened } from '../../src/card/history-entry.tsx';
import type { Push, Session } from '../../src/session/session.ts';
import { joined, pass, stopTime, t } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };

stopTime();

/** A panel with one session, and what its history shows, the oldest first. */
async function panel(calls = {}) {
  const joining = await joined([connected], calls);
  const { store } = joining;
  const entries = () => store.get(numero)?.history ?? [];
  return {
    ...joining,
    entries,
    sentences: () => entries().map((entry) => happened(t, entry)),
  };
}

describe('the history of a session', () => {
  it('begins with the list, and has each push with its time', async () => {
    const { listener, entries, sentences } = await panel();
    const start = Date.now();
    const pushes: readonly Push[] = [
      { type: 'change_state', numero, state: 'OPENING' },
      { type: 'disconnected', numero },
      { type: 'qr', numero, qrCode: '2@1' },
      { type: 'authenticated', numero },
      { type: 'ready', numero },
      { type: 'qr_timeout', numero },
    ];
    for (const push of pushes) {
      pass(1);
      listener.push(push);
    }
    assert.deepEqual(sentences(), [
      'Al abrir la página: CONNECTED',
      'Nuevo estado: OPENING',
      'Se desconectó',
      'Código nuevo',
      'Un teléfono escaneó el código',
      'Conectada y lista para usarse',
      'Nadie escaneó el código a tiempo',
    ]);
    assert.deepEqual(
      entries().map(({ at }) => (at - start) / 1000),
      [0, 1, 2, 3, 4, 5, 6],
    );
  });

  it('has the reasons that the server keeps, unless they say the same', () => {
    const entry = {
      at: 0,
      state: 'DESCONECTADO',
      detail: 'Nadie escaneó el código a tiempo.',
      code: 'not-scanned',
    };
    assert.equal(happened(t, { ...entry, event: 'qr_timeout' }), 'Nadie escaneó el código a tiempo');
    assert.equal(
      happened(t, { ...entry, event: 'disconnected' }),
      'Se desconectó. Nadie escaneó el código a tiempo',
    );
  });

  it('has each action and its result', async () => {
    const fails = () => Promise.reject(new Error('no'));
    const answers = [() => Promise.resolve(), fails];
    const send = () => (answers.shift() ?? fails)();
    const { store, sentences } = await panel({ start: fails, delete: fails, send });
    const message = { from: numero, to: '+52 1555', text: 'Hola' };
    await store.send(message);
    await store.send(message);
    await store.up(numero);
    await store.delete(numero);
    assert.deepEqual(sentences(), [
      'Al abrir la página: CONNECTED',
      'Mensaje aceptado por el servidor: 521555',
      'Mensaje no aceptado: no',
      'No se pudo levantar: no',
      'Se pidió eliminarla',
      'No se eliminó; sigue en la lista: CONNECTED',
      'No se pudo eliminar: no',
    ]);
  });

  it('keeps the last fifty entries unchanged', async () => {
    const { store, listener, entries, sentences } = await panel();
    const push = (index: number) => listener.push({ type: 'change_state', numero, state: `S${index}` });
    for (let index = 1; index <= 55; index += 1) {
      push(index);
      pass(0.1);
    }
    assert.equal(sentences().length, 50);
    assert.equal(store.get(numero)?.history.length, 50);
    assert.deepEqual([sentences()[0], sentences().at(-1)], ['Nuevo estado: S6', 'Nuevo estado: S55']);
    const before = entries();
    push(56);
    assert.deepEqual(entries().slice(0, -1), before.slice(1));
  });

  it('has no entry for repeated news', async () => {
    const { store, listener, sentences } = await panel();
    listener.push({ type: 'change_state', numero, state: 'CONNECTED' });
    await store.refresh();
    assert.deepEqual(sentences(), ['Al abrir la página: CONNECTED']);
  });
});
