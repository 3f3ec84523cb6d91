import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { merge } from '../../src/session/history.ts';
import type { Push, Session } from '../../src/session/session.ts';
import { joined, pass, settled, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };

stopTime();

/** A panel with one session, and what its history shows, the oldest first. */
async function panel(calls = {}) {
  const joining = await joined([connected], calls);
  const { store } = joining;
  const entries = () => merge(store.get(numero)?.history ?? [], store.connectionHistory());
  return {
    ...joining,
    entries,
    told: () => entries().map(({ what, detail, state }) => `${what} ${detail ?? state}`),
  };
}

describe('the history of a session', () => {
  it('begins with what the list said, and has each push at its time', async () => {
    const { listener, entries, told } = await panel();
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
    assert.deepEqual(told(), [
      'listed CONNECTED',
      'change_state OPENING',
      'disconnected DESCONECTADO',
      'qr AUTENTICANDO...',
      'authenticated AUTENTICANDO...',
      'ready CONNECTED',
      'qr_timeout DESCONECTADO',
    ]);
    assert.deepEqual(
      entries().map(({ at }) => (at - start) / 1000),
      [0, 1, 2, 3, 4, 5, 6],
    );
  });

  it('has what the operator did, and how it went', async () => {
    const fails = () => Promise.reject(new Error('no'));
    const answers = [() => Promise.resolve(), fails];
    const send = () => (answers.shift() ?? fails)();
    const { store, told } = await panel({ start: fails, delete: fails, send });
    const message = { from: numero, to: '+52 1555', text: 'Hola' };
    await store.send(message);
    await store.send(message);
    await store.up(numero);
    await store.delete(numero);
    assert.deepEqual(told(), [
      'listed CONNECTED',
      'accepted 521555',
      'refused no',
      'notStarted no',
      'closing CERRANDO SESIÓN...',
      'reopened CONNECTED',
      'notDeleted no',
    ]);
  });

  it('has the connection that was lost and came back since then, in its place', async () => {
    const { listener, told } = await panel();
    for (const connected of [true, false]) listener.connection(connected);
    listener.push({ type: 'ready', numero });
    listener.push({ type: 'disconnected', numero });
    listener.connection(true);
    await settled();
    assert.deepEqual(told(), [
      'listed CONNECTED',
      'lost ',
      'ready CONNECTED',
      'disconnected DESCONECTADO',
      'back ',
      'listed CONNECTED',
    ]);
  });

  it('keeps the last fifty, and each as it was', async () => {
    const { listener, entries, told } = await panel();
    const push = (index: number) => listener.push({ type: 'change_state', numero, state: `S${index}` });
    for (let index = 1; index <= 55; index += 1) push(index);
    assert.equal(told().length, 50);
    assert.deepEqual([told()[0], told().at(-1)], ['change_state S6', 'change_state S55']);
    const before = entries();
    push(56);
    assert.deepEqual(entries().slice(0, -1), before.slice(1));
  });

  it('has nothing for what told nothing new', async () => {
    const { store, listener, told } = await panel();
    listener.push({ type: 'change_state', numero, state: 'CONNECTED' });
    await store.refresh();
    assert.deepEqual(told(), ['listed CONNECTED']);
  });
});

describe('the history of the connection', () => {
  it('has no loss of a connection that never was, and no return', async () => {
    const { store, listener } = await panel();
    listener.connection(false);
    listener.connection(true);
    await settled();
    assert.deepEqual(store.connectionHistory(), []);
  });

  it('has each loss and each return', async () => {
    const { store, listener } = await panel();
    for (const connected of [true, false, false, true]) listener.connection(connected);
    await settled();
    assert.deepEqual(
      store.connectionHistory().map(({ what }) => what),
      ['lost', 'back'],
    );
  });
});
