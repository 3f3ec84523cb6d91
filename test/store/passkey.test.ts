import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { remedyFor } from '../../src/session/states.ts';
import type { Extension, WirePasskey } from '../../src/wire.ts';
import { held, joined, type ListedSession, overHttp, pass, stopTime } from './support.ts';

const numero = '5491155550001';
const passkey: WirePasskey = { step: 'confirm', text: 'Compara 1234' };
const linking: ListedSession = { numero, state: 'AUTENTICANDO...', waiting: false };
const stepping: ListedSession = { ...linking, details: { passkey } };

stopTime();

async function panel(
  [list, calls]: Parameters<typeof joined> = [[stepping]],
  extensions: readonly Extension[] = ['details', 'passkey', 'label', 'proxy'],
) {
  const shown = await joined(list, calls);
  shown.listener.connection(true);
  shown.listener.extensions(new Set(extensions));
  pass(0.25);
  return {
    ...shown,
    remedy: () => {
      const record = shown.store.get(numero);
      return record && remedyFor(record);
    },
  };
}

describe('the step of a passkey', () => {
  it('is what the session says and asks, however long it takes, until the server says that it is over', async () => {
    const { listener, says, status, remedy } = await panel([[linking]]);
    assert.notEqual(remedy(), 'passkey');
    listener.push({ type: 'details', numero, change: { passkey } });
    pass(300);
    assert.deepEqual([says(numero), status(numero)?.asks, remedy()], [passkey.text, 'act', 'passkey']);
    listener.push({ type: 'details', numero, change: { passkey: undefined } });
    assert.notEqual(remedy(), 'passkey');
  });

  for (const push of [
    { type: 'qr', numero, qrCode: '2@new' },
    { type: 'ready', numero },
    { type: 'created', numero, session: linking, details: {} },
    { type: 'change_state', numero, state: 'CONNECTED' },
    { type: 'change_state', numero, state: 'CERRANDO SESIÓN...' },
  ] as const)
    it(`is over with ${JSON.stringify(push)}`, async () => {
      const { listener, says, remedy } = await panel([[stepping]], ['presence', 'details', 'passkey']);
      assert.equal(remedy(), 'passkey');
      listener.push(push);
      assert.notEqual(says(numero), passkey.text);
      assert.notEqual(remedy(), 'passkey');
    });

  it('takes no other link while one is valid', async () => {
    const sign = { step: 'sign', text: 'Envía un enlace' } as const;
    const link = { id: 'a1', expires: Date.now() + 600_000 };
    const { remedy } = await panel(
      [[{ ...linking, details: { passkey: sign, link } }]],
      ['details', 'passkey'],
    );
    assert.equal(remedy(), undefined);
    pass(601);
    assert.equal(remedy(), 'passkey');
  });

  it('is over with a start', async () => {
    const { store, remedy } = await panel();
    await store.up(numero);
    assert.notEqual(remedy(), 'passkey');
  });

  it('is not over with a scan, the end of the code or another state', async () => {
    const { listener, says } = await panel();
    listener.push({ type: 'disconnected', numero });
    listener.push({ type: 'authenticated', numero });
    listener.push({ type: 'change_state', numero, state: 'OPENING' });
    assert.equal(says(numero), passkey.text);
  });

  it('is confirmed by one call at a time, and a failure is reported', async () => {
    const { asked, call, answer } = held<void>();
    const { store, events, notices } = await panel([[stepping], { confirm: call }]);
    const first = store.confirm(numero);
    void store.confirm(numero);
    assert.deepEqual(asked, [numero]);
    await answer(new Error('El código ya no sirve'));
    assert.ok((await first).error);
    assert.deepEqual(notices, ['negative: El código ya no sirve']);
    const [failed] = events.flatMap(({ name, detail }) => (name === 'wo-error' ? [detail.action] : []));
    assert.equal(failed, 'passkey');
  });
});

describe('the calls', () => {
  it('are those of the contract', async () => {
    const sent: [method: string, path: string, body: string][] = [];
    const bodies: Promise<unknown>[] = [];
    const calls = overHttp((request) => {
      const { pathname } = new URL(request.url);
      bodies.push(request.text().then((body) => sent.push([request.method, pathname, body])));
      return Response.json({ label: 'Ventas', proxy: 'proxy.example:1080', exit: '203.0.113.7' });
    });
    const { store } = await panel([[linking], { ...calls, list: async () => [linking] }]);
    await store.confirm(numero);
    await store.rename(numero, { proxy: 'socks5://a:b@proxy.example:1080' });
    await Promise.all(bodies);
    const path = `/api/session/${numero}`;
    assert.deepEqual(
      sent.filter(([method]) => method !== 'GET'),
      [
        ['POST', `${path}/passkey`, ''],
        ['PUT', `${path}/details`, JSON.stringify({ proxy: 'socks5://a:b@proxy.example:1080' })],
      ],
    );
    const { label, proxy, exit } = store.get(numero)?.details ?? {};
    assert.deepEqual([label, proxy, exit], ['Ventas', 'proxy.example:1080', '203.0.113.7']);
  });

  it('are not made where the extension is not announced', async () => {
    const { store } = await panel([[stepping]], ['details', 'label']);
    for (const { error } of await Promise.all([store.confirm(numero), store.rename(numero, { proxy: '' })]))
      assert.equal(error?.message, 'El servidor ya no lo ofrece.');
  });
});
