import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Renaming, Session } from '../../src/session/session.ts';
import { held, joined, overHttp, stopTime } from './support.ts';

const numero = '5491155550001';
const connected: Session = { numero, state: 'CONNECTED', waiting: false };

stopTime();

/** A panel whose deletions and starts are answered so over HTTP, and the requests that it makes. */
async function panel(answer: () => Response, list: readonly Session[] = [connected]) {
  const requests: string[] = [];
  const { start, delete: remove } = overHttp(({ method, url }) => {
    requests.push(`${method} ${url.replace('http://server.example', '')}`);
    return answer();
  });
  return { ...(await joined(list, { start, delete: remove })), requests };
}

describe('a deletion', () => {
  for (const status of [200, 404]) {
    it(`is done with status ${status}: what the server does not know is deleted`, async () => {
      const { store, notices, requests } = await panel(() => new Response('', { status }));
      await store.delete(numero);
      assert.deepEqual(requests, [`DELETE /api/session/${numero}`]);
      assert.deepEqual(notices, [`positive: La sesión de ${numero} ha sido eliminada`]);
      assert.deepEqual(store.numeros.get(), []);
    });
  }

  it("is told in the server's words where it has a notice, and in no other of its words", async () => {
    const answers = ['{"notice":"Se quitó de la lista"}', '{"message":"Deleted","notice":7}'];
    const other = { ...connected, numero: '34600000001' };
    const { store, notices } = await panel(() => new Response(answers.shift()), [connected, other]);
    await store.delete(numero);
    await store.delete(other.numero);
    assert.deepEqual(notices, [
      'positive: Se quitó de la lista',
      'positive: La sesión de 34600000001 ha sido eliminada',
    ]);
  });

  it('fails when a sign-in page answers', async () => {
    const headers = { 'content-type': 'text/html' };
    const { store, session, notices } = await panel(() => new Response('<html>Entrar</html>', { headers }));
    await store.delete(numero);
    assert.match(notices.join(), /^negative: .*iniciar sesión de nuevo/);
    assert.deepEqual(session(numero), connected);
  });
});

describe('a start', () => {
  it('leaves the session as it was when the connection breaks', async () => {
    const { store, session, notices } = await panel(() => {
      throw new TypeError('fetch failed');
    });
    await store.up(numero);
    assert.deepEqual(notices, ['negative: Network Error']);
    assert.deepEqual(session(numero), connected);
  });

  it('adds no session when it fails', async () => {
    const { store, notices } = await panel(() => new Response('', { status: 503 }), []);
    await store.up(numero);
    assert.deepEqual(notices, ['negative: Request failed with status code 503']);
    assert.deepEqual(store.numeros.get(), []);
  });

  for (const body of ['{"numero":5491155550001}', '{}', '"ok"']) {
    it(`may be answered with ${body}`, async () => {
      const { store, session } = await panel(() => new Response(body));
      assert.deepEqual(await store.up(numero), { numero });
      assert.equal(session(numero)?.waiting, true);
    });
  }

  it('accepts text that Express labels as HTML', async () => {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const { store } = await panel(() => new Response('{}', { headers }));
    assert.deepEqual(await store.up(numero), { numero });
  });

  it('encodes the numero as one segment of its path', async () => {
    const odd = '../a b/ñ?x#y';
    const { store, requests } = await panel(() => new Response('{}'));
    await store.up(odd);
    assert.deepEqual(requests, [`GET /api/session/levanta/${encodeURIComponent(odd)}`]);
  });

  for (const impossible of ['.', '..', '\ud83d']) {
    it(`is not sent where a path cannot hold the numero: ${JSON.stringify(impossible)}`, async () => {
      const { store, requests, notices } = await panel(() => new Response('{}'));
      await store.up(impossible);
      assert.deepEqual(requests, []);
      assert.deepEqual(notices, [`negative: El número '${impossible}' no se puede pedir al servidor.`]);
    });
  }
});

describe('names that are saved before the names before them are', () => {
  /** A panel whose names the test answers. */
  async function naming() {
    const answers = held<Renaming>();
    const asked: Renaming[] = [];
    const panel = await joined([connected], {
      rename(_numero, naming, signal) {
        asked.push(naming);
        return answers.call(numero, signal);
      },
    });
    panel.listener.extensions(new Set(['label', 'details']));
    const rename = (naming: Renaming) => panel.store.rename(numero, naming);
    return { ...panel, answers, asked, rename, label: () => panel.store.get(numero)?.details.label };
  }

  it('are sent in their order, each once the one before is answered', async () => {
    const { rename, answers, asked, label, session, store } = await naming();
    const all = [{ label: 'Uno' }, { label: 'Dos' }, { label: 'Uno' }, { group: 'Norte' }];
    const outcomes = all.map(rename);
    for (const [index, naming] of all.entries()) {
      assert.deepEqual(asked, all.slice(0, index + 1));
      await answers.answer(naming);
      assert.equal(label(), all[Math.min(index, 2)]?.label);
    }
    for (const outcome of outcomes) assert.deepEqual(await outcome, { numero });
    assert.equal(store.get(numero)?.details.group, 'Norte');
    assert.deepEqual(session(numero), connected);
  });

  it('have results of their own: the next are sent though one fails', async () => {
    const { rename, answers, asked, label, notices } = await naming();
    const [first, second, third] = [{ label: 'Uno' }, { label: 'Dos' }, { label: 'Tres' }].map(rename);
    await answers.answer(new Error('no'));
    await answers.answer({ label: 'Dos' });
    await answers.answer(new Error('tampoco'));
    assert.equal((await first)?.error?.message, 'no');
    assert.deepEqual(await second, { numero });
    assert.equal((await third)?.error?.message, 'tampoco');
    assert.equal(asked.length, 3);
    assert.equal(label(), 'Dos');
    assert.deepEqual(notices, ['negative: no', 'negative: tampoco']);
  });

  it('are one call where they are the same', async () => {
    const { rename, answers, asked } = await naming();
    const outcomes = [rename({ label: 'Uno' }), rename({ label: 'Uno' })];
    await answers.answer({ label: 'Uno' });
    assert.deepEqual(await Promise.all(outcomes), [{ numero }, { numero }]);
    assert.deepEqual(asked, [{ label: 'Uno' }]);
    void rename({ label: 'Uno' });
    assert.equal(asked.length, 2);
  });

  it('are sent though the panel is closed', async () => {
    const { rename, answers, asked, store } = await naming();
    const outcomes = [rename({ label: 'Uno' }), rename({ label: 'Dos' })];
    store.close();
    await answers.answer({ label: 'Uno' });
    await answers.answer({ label: 'Dos' });
    assert.deepEqual(await Promise.all(outcomes), [{ numero }, { numero }]);
    assert.deepEqual(asked, [{ label: 'Uno' }, { label: 'Dos' }]);
  });
});

describe('a test message', () => {
  it('is sent after another one of its session, and a double one once', async () => {
    const answers = held<string | undefined>();
    const texts: string[] = [];
    const { store, notices } = await joined([connected], {
      send({ text }, signal) {
        texts.push(text);
        return answers.call(numero, signal);
      },
    });
    const outcomes = ['hola', 'hola', 'adiós'].map((text) => store.send({ from: numero, to: '34600', text }));
    assert.deepEqual(texts, ['hola']);
    await answers.answer(undefined);
    assert.deepEqual(texts, ['hola', 'adiós']);
    await answers.answer(new Error('no'));
    assert.deepEqual(
      (await Promise.all(outcomes)).map(({ error }) => error?.message),
      [undefined, undefined, 'no'],
    );
    assert.deepEqual(notices, ['positive: Mensaje enviado a 34600', 'negative: no']);
  });
});

describe('all calls', () => {
  it("are never answered by the browser's cache", async () => {
    const caches: RequestCache[] = [];
    const calls = overHttp(({ cache }) => {
      caches.push(cache);
      return new Response('[]');
    });
    const { signal } = new AbortController();
    await calls.list(signal);
    await calls.start(numero, signal);
    await calls.delete(numero, signal);
    await calls.send({ from: numero, to: '1', text: '' }, signal);
    assert.deepEqual(caches, ['no-store', 'no-store', 'no-store', 'no-store']);
  });
});
