import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createListView } from '../../src/list/list-view.ts';
import type { ListedSession } from '../../src/session/session.ts';
import { joined, pass, stopTime } from './support.ts';

const HOUR = 3_600_000;
const KEY = 'whatsapp-operadores /api';

stopTime();

/** What a browser keeps. */
class Keeper {
  readonly kept = new Map<string, string>();
  getItem(key: string): string | null {
    return this.kept.get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    this.kept.set(key, text);
  }
}

let tab = new Keeper();
let browser = new Keeper();

function provide(name: 'sessionStorage' | 'localStorage', get: () => unknown): void {
  Object.defineProperty(globalThis, name, { configurable: true, get });
}

beforeEach(() => {
  tab = new Keeper();
  browser = new Keeper();
  provide('sessionStorage', () => tab);
  provide('localStorage', () => browser);
});
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'sessionStorage');
  Reflect.deleteProperty(globalThis, 'localStorage');
});

/** A session that fell so many hours before the test began. */
const fallen = (numero: string, hours: number): ListedSession => ({
  numero,
  state: 'DESCONECTADO',
  waiting: false,
  details: {
    since: Date.UTC(2026, 0, 1) - hours * HOUR,
    reason: { code: 'connection-lost', text: 'Se cortó' },
  },
});

/** A panel as it opens, in a list with a bar. */
async function opened(apiBase: string | null = '/api') {
  const others = Array.from({ length: 8 }, (_, index) => ({
    numero: `${index}`,
    state: 'CONNECTED',
    waiting: false,
  }));
  const { store, listener, events } = await joined([fallen('one', 1), fallen('two', 20), ...others]);
  store.keepVisit(apiBase ?? undefined);
  listener.extensions(new Set(['details']));
  pass(1);
  const view = createListView(store, { view: 'list', order: undefined }, () => false);
  view.follow();
  return {
    store,
    listener,
    events,
    dropped: () => store.counts.get().dropped,
    look(): void {
      view.choose({ bucket: 'dropped' });
      view.choose({ bucket: undefined });
      pass(1);
    },
    found: () => view.state.get().found?.size,
    choose: view.choose,
  };
}

describe('what dropped since the last visit', () => {
  it('is all that is down on the first visit', async () => {
    const { dropped } = await opened();
    assert.equal(dropped(), 2);
  });

  it('is what dropped after the end of the last one', async () => {
    browser.setItem(KEY, `${Date.now() - 10 * HOUR}`);
    const { dropped, events, store } = await opened();
    assert.equal(dropped(), 1);
    const numbers = events.flatMap(({ name, detail }) => (name === 'wo-attention' ? detail.dropped : []));
    assert.equal(numbers.at(-1), 1);
    // Its row still says when it dropped.
    assert.ok(store.get('two')?.status.droppedAt);
  });

  it('is counted from the end of a visit, which a reload does not end', async () => {
    const first = await opened();
    first.store.close();
    const reloaded = await opened();
    assert.equal(reloaded.dropped(), 2);
    reloaded.store.close();
    assert.equal(browser.kept.get(KEY), `${Date.now()}`);
    tab = new Keeper();
    const next = await opened();
    assert.equal(next.dropped(), 0);
    next.listener.push({ type: 'disconnected', numero: '0' });
    pass(1);
    assert.equal(next.dropped(), 1);
  });

  it('is counted from the moment when the operator has looked at it', async () => {
    const { choose, found, dropped, look, store } = await opened();
    choose({ bucket: 'dropped' });
    assert.equal(found(), 2);
    choose({ query: 'one' });
    pass(1);
    assert.equal(dropped(), 2);
    look();
    assert.equal(dropped(), 0);
    store.close();
    assert.equal((await opened()).dropped(), 0);
  });

  it('is known to each server by itself, as one moment and nothing else', async () => {
    const { look, store } = await opened();
    pass(5);
    look();
    store.close();
    const ended = Date.now();
    assert.deepEqual([...tab.kept], [[KEY, `${ended - 1000}`]]);
    assert.deepEqual([...browser.kept], [[KEY, `${ended}`]]);
    assert.equal((await opened('/other')).dropped(), 2);
  });

  it('does not depend on a moment that cannot be', async () => {
    for (const kept of ['yesterday', `${Date.now() + HOUR}`, '']) {
      tab = new Keeper();
      browser.setItem(KEY, kept);
      const { listener, dropped } = await opened();
      const before = dropped();
      listener.push({ type: 'disconnected', numero: '0' });
      pass(1);
      assert.equal(dropped(), before + 1);
    }
  });

  it('is all that is down where the browser keeps nothing', async () => {
    for (const get of [
      () => undefined,
      () => {
        throw new Error('SecurityError');
      },
    ]) {
      provide('sessionStorage', get);
      provide('localStorage', get);
      const { dropped, look, store } = await opened();
      assert.equal(dropped(), 2);
      look();
      assert.equal(dropped(), 0);
      store.close();
    }
  });
});

describe('without a place to keep the visit', () => {
  it('nothing is kept, and what dropped counts until it is back', async () => {
    browser.setItem(KEY, `${Date.now()}`);
    const { dropped, look, store } = await opened(null);
    look();
    assert.equal(dropped(), 2);
    store.close();
    assert.equal(tab.kept.size, 0);
  });

  it('a page that no longer wants it has all that dropped counted again', async () => {
    browser.setItem(KEY, `${Date.now()}`);
    const { dropped, store } = await opened();
    assert.equal(dropped(), 0);
    store.keepVisit(undefined);
    pass(1);
    assert.equal(dropped(), 2);
  });
});
