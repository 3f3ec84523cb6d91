import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createParser } from '../../src/server/parse.ts';
import { joined, overHttp, stopTime, t } from './support.ts';

const numero = '5491155550001';
const LIST = [{ numero, state: 'CONNECTED', waiting: false }];

stopTime();

/** A panel over HTTP. Its list is answered as the test says. */
async function panel(first: () => Response) {
  let answer = first;
  const { list } = overHttp(() => answer());
  const joining = await joined([], { list });
  // The body of an answer is read after its head.
  await joining.store.refresh();
  return {
    ...joining,
    set(now: () => Response) {
      answer = now;
    },
  };
}

const html = { headers: { 'content-type': 'text/html' } };
/** What cannot be taken for a list, what is said of it, and where that has a term of HTTP, what the list says instead. */
const BROKEN: readonly [what: string, answer: () => Response, said: string, reason?: string][] = [
  [
    'an error',
    () => new Response('', { status: 500 }),
    'Request failed with status code 500',
    'El servidor tuvo un error',
  ],
  [
    'a missing route',
    () => new Response('', { status: 404 }),
    'Request failed with status code 404',
    'El servidor no aceptó la solicitud',
  ],
  [
    'a sign-in page with status 200',
    () => new Response('<!doctype html><title>Entrar</title>', html),
    'El servidor respondió con una página web; tal vez tengas que iniciar sesión de nuevo.',
  ],
  [
    'broken JSON',
    () => new Response('[{"numero": '),
    'El servidor respondió con datos que el panel no entiende.',
  ],
  ['an empty answer', () => new Response(''), 'El servidor respondió con datos que el panel no entiende.'],
  [
    'JSON that is no list',
    () => Response.json({ sessions: [] }),
    'El servidor respondió con datos que el panel no entiende.',
  ],
  [
    'more sessions than a panel can show',
    () => Response.json(Array.from({ length: 10_001 }, (_, index) => ({ numero: String(index) }))),
    'El servidor respondió con datos que el panel no entiende.',
  ],
  [
    'an answer that is too long',
    () => new Response(`[${' '.repeat(20_000_000)}]`),
    'El servidor respondió con datos que el panel no entiende.',
  ],
  [
    'an error with a sentence without end',
    () => Response.json({ message: 'x'.repeat(1_000_000) }, { status: 500 }),
    `Request failed with status code 500: ${'x'.repeat(299)}…`,
    `${'x'.repeat(299)}…`,
  ],
  [
    'a connection that breaks',
    () => {
      throw new TypeError('fetch failed');
    },
    'Network Error',
    'Sin conexión con el servidor',
  ],
];

describe('a list that cannot be loaded', () => {
  for (const [what, answer, said, reason = said] of BROKEN) {
    it(`is reported, and can be requested again: ${what}`, async () => {
      const { store, notices, set } = await panel(answer);
      assert.deepEqual(new Set(notices), new Set([`negative: ${said}`]));
      assert.equal(store.notices.get().at(-1)?.replaceKey, 'fetch');
      assert.equal(store.snapshot.get().list, 'failed');
      assert.equal(store.snapshot.get().listError, reason);
      set(() => Response.json(LIST));
      const fetched = store.fetch();
      assert.equal(store.snapshot.get().list, 'loading');
      await fetched;
      assert.equal(store.snapshot.get().list, 'ready');
      assert.deepEqual(store.numeros.get(), [numero]);
    });

    it(`leaves the list that is shown: ${what}`, async () => {
      const { store, notices, events, set } = await panel(() => Response.json(LIST));
      set(answer);
      await store.refresh();
      assert.equal(store.snapshot.get().list, 'ready');
      assert.deepEqual(store.numeros.get(), [numero]);
      assert.deepEqual(notices, [`negative: ${said}`]);
      assert.equal(events.at(-1)?.name, 'wo-error');
    });
  }
});

describe('a list with odd items', () => {
  it('shows those that have a numero, whatever its JSON type', () => {
    const items = [
      null,
      'text',
      { state: 'CONNECTED' },
      { numero: '', state: 'CONNECTED' },
      { numero: 5491155550001, state: 'CONNECTED', waiting: 'no' },
      { numero: '5491155550002' },
      { numero: '5491155550003', state: 7, qrCode: {}, waiting: 1 },
      { numero: '<b>1</b>', state: 'X', qrCode: '', waiting: true },
    ];
    const list = createParser(t).list({ body: items, url: '', clockOffset: 0 });
    assert.deepEqual(
      list.map(({ session, details }) => ({ ...session, details })),
      [
        { numero: '5491155550001', state: 'CONNECTED', waiting: false, details: {} },
        { numero: '5491155550002', state: '', waiting: false, details: {} },
        { numero: '5491155550003', state: '', waiting: false, details: {} },
        { numero: '<b>1</b>', state: 'X', waiting: true, details: {} },
      ],
    );
  });

  it('shows one card for a numero that is listed twice', async () => {
    const { store, session } = await joined([
      { numero, state: 'DESCONECTADO', waiting: false },
      { numero, state: 'CONNECTED', waiting: false },
    ]);
    assert.deepEqual(store.numeros.get(), [numero]);
    assert.equal(session(numero)?.state, 'CONNECTED');
  });
});
