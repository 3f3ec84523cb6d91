import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it, mock } from 'node:test';
import type { Push, Session } from '../../src/session/session.ts';
import { type Answers, held, joined, settled, stopTime } from './support.ts';

/** The page that the panel is in. */
const page = Object.assign(new EventTarget(), { hidden: false, defaultView: new EventTarget() });

const numero = '5491155550001';
const other = '5491155550002';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };
const down: Session = { numero, state: 'DESCONECTADO', waiting: false };
const added: Session = { numero: other, state: 'AUTENTICANDO...', qrCode: '2@1', waiting: false };
const unlisted: Push = { type: 'qr', numero: other, qrCode: '2@1' };
const ended: Push = { type: 'disconnected', numero };

stopTime();
before(() => Object.assign(globalThis, { document: page }));
after(() => Reflect.deleteProperty(globalThis, 'document'));
beforeEach(() => {
  page.hidden = false;
});

function turn(hidden: boolean): void {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
}

async function pass(seconds: number): Promise<void> {
  for (let left = seconds * 10; left > 0; left -= 1) {
    mock.timers.tick(100);
    await settled();
  }
}

/** A panel with a live connection, and the server's list, which other panels change. */
async function panel(calls: Partial<Answers> = {}) {
  const list = [connected];
  let requests = 0;
  const joining = await joined([], {
    list: async () => {
      requests += 1;
      return [...list];
    },
    ...calls,
  });
  joining.listener.connection(true);
  await pass(60);
  const before = requests;
  return {
    ...joining,
    list,
    /** How often the list was requested since the panel is ready. */
    requests: () => requests - before,
    numeros: () => joining.store.numeros.get(),
  };
}

describe('a session that another panel', () => {
  it('adds appears within seconds after a push, which alone adds no card', async () => {
    const { listener, list, numeros, session, notices } = await panel();
    list.push(added);
    listener.push(unlisted);
    await settled();
    assert.deepEqual(numeros(), [numero]);
    await pass(2.1);
    assert.deepEqual(numeros(), [numero, other]);
    assert.deepEqual(session(other), added);
    assert.deepEqual(notices, []);
  });

  it('adds does not appear where the list does not have it', async () => {
    const { listener, numeros } = await panel();
    listener.push(unlisted);
    await pass(60);
    assert.deepEqual(numeros(), [numero]);
  });

  it('deletes goes within seconds, although the server only pushes that it is disconnected', async () => {
    const { listener, list, numeros } = await panel();
    list.length = 0;
    listener.push(ended);
    await pass(2.1);
    assert.deepEqual(numeros(), []);
  });

  it('starts, and whose end is taken for that of its earlier life, is shown as the list has it', async () => {
    const starts = held<string>();
    const { store, listener, list, session } = await panel({ start: starts.call });
    const started = store.up(numero);
    await settled();
    list[0] = down;
    listener.push(ended);
    await starts.answer(numero);
    await started;
    assert.equal(session(numero)?.waiting, true);
    await pass(2.1);
    assert.deepEqual(session(numero), down);
  });
});

describe('a session that this panel adds', () => {
  it('appears with its code even where the server does not answer the start', async () => {
    const starts = held<string>();
    const { store, listener, list, session } = await panel({ start: starts.call });
    const start = store.up(other);
    await settled();
    list.push(added);
    listener.push(unlisted);
    await pass(2.1);
    assert.deepEqual(session(other), added);
    await starts.answer(new Error('Request failed with status code 504'));
    await start;
    assert.deepEqual(session(other), added);
  });
});

describe('the list is requested without being asked for', () => {
  it('once for a burst of pushes, and every five seconds at most in a storm', async () => {
    const { listener, requests } = await panel();
    for (let push = 0; push < 100; push += 1) listener.push(unlisted);
    await pass(60);
    assert.equal(requests(), 1);
    for (let tenth = 0; tenth < 600; tenth += 1) {
      listener.push(ended);
      listener.push(unlisted);
      await pass(0.1);
    }
    const more = requests() - 1;
    assert.ok(more >= 8 && more <= 12, `${more} requests in a minute of storm`);
  });

  it('once at a time from a server that takes long to answer, whose answer counts', async () => {
    let answer: ((list: Session[]) => void) | undefined;
    let isSlow = false;
    let requests = 0;
    const { listener, numeros } = await panel({
      list: async () => {
        requests += 1;
        return isSlow ? new Promise((resolve) => (answer = resolve)) : [connected];
      },
    });
    isSlow = true;
    const mark = requests;
    for (let second = 0; second < 25; second += 1) {
      listener.push(unlisted);
      await pass(1);
    }
    assert.equal(requests - mark, 1);
    answer?.([]);
    await settled();
    assert.deepEqual(numeros(), []);
    await pass(7);
    assert.equal(requests - mark, 2);
  });

  it('of a server that hung twice: its next answer counts, however slow', async () => {
    let isStuck = false;
    let answer: ((list: Session[]) => void) | undefined;
    let requests = 0;
    const { listener, numeros } = await panel({
      list: (signal) => {
        requests += 1;
        if (!isStuck) return Promise.resolve([connected]);
        return new Promise((resolve, reject) => {
          answer = resolve;
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    isStuck = true;
    const mark = requests;
    for (let second = 0; second < 120; second += 1) {
      listener.push(unlisted);
      await pass(1);
    }
    assert.ok(requests - mark <= 5, `${requests - mark} requests in two minutes of silence`);
    answer?.([]);
    await settled();
    assert.deepEqual(numeros(), []);
  });

  it('not by all panels in the same second', async () => {
    const at: number[] = [];
    for (const random of [0, 0.99]) {
      const { listener, requests } = await panel();
      mock.method(Math, 'random', () => random);
      listener.push(ended);
      let tenths = 0;
      for (; requests() === 0; tenths += 1) await pass(0.1);
      at.push(tenths / 10);
    }
    const [first = 0, last = 0] = at;
    assert.ok(first <= 1 && last >= first + 1 && last <= 2.1, at.join(' and '));
  });

  it('not while the page is hidden: it is made up for when the page is back', async () => {
    const { listener, list, numeros, requests } = await panel();
    turn(true);
    list.length = 0;
    for (let push = 0; push < 10; push += 1) {
      listener.push(ended);
      await pass(10);
    }
    assert.equal(requests(), 0);
    turn(false);
    await pass(0.1);
    assert.deepEqual(numeros(), []);
    await pass(60);
    assert.equal(requests(), 1);
  });

  it('when the page is back after more than a few seconds', async () => {
    const { list, numeros, requests } = await panel();
    turn(true);
    await pass(1);
    turn(false);
    await pass(10);
    assert.equal(requests(), 0);
    turn(true);
    list.push(added);
    await pass(10);
    turn(false);
    await pass(2.1);
    assert.deepEqual(numeros(), [numero, other]);
    assert.equal(requests(), 1);
  });

  it('when the network is back', async () => {
    const { requests } = await panel();
    page.defaultView.dispatchEvent(new Event('online'));
    await pass(60);
    assert.equal(requests(), 1);
  });

  it('once where the connection comes back at the same time', async () => {
    const { listener, requests } = await panel();
    listener.connection(false);
    page.defaultView.dispatchEvent(new Event('online'));
    listener.connection(true);
    await pass(60);
    assert.equal(requests(), 1);
  });

  it('again where it could not be had, of which one notice tells', async () => {
    const list = [connected];
    let failing = false;
    const answer = async () => (failing ? Promise.reject(new Error('Network Error')) : [...list]);
    const { listener, numeros, notices } = await panel({ list: answer });
    list.length = 0;
    failing = true;
    listener.push(ended);
    await pass(60);
    assert.deepEqual(numeros(), [numero]);
    assert.deepEqual(notices, ['negative: Network Error']);
    failing = false;
    await pass(31);
    assert.deepEqual(numeros(), []);
  });

  it('no longer once the panel has left', async () => {
    const { store, listener, requests } = await panel();
    listener.push(ended);
    store.close();
    turn(true);
    await pass(10);
    turn(false);
    page.defaultView.dispatchEvent(new Event('online'));
    await pass(60);
    assert.equal(requests(), 0);
  });
});
