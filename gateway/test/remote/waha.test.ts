import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { WahaServer } from '../../src/engines/waha/server.ts';
import { outagesIn } from '../../src/sessions/outages.ts';
import { call } from '../support/gateway.ts';
import { KEY, StandIn } from '../support/stand-in.ts';
import { newNumero, openRemote } from './lab.ts';
import { listen, stopDeadlines } from './listen.ts';

test('requests for codes that hang hold up no message', async (t) => {
  stopDeadlines(t);
  let hanging = 0;
  const { url } = await listen(t, (request, response) => {
    if (request.url?.includes('/auth/qr')) hanging += 1;
    else response.end('{"numberExists":true}');
  });
  const server = new WahaServer(url.href, 'key');
  t.after(() => server.close());
  const codes = Array.from({ length: 10 }, (_, place) => assert.rejects(server.code(String(place))));
  await until(() => hanging === 3, 'as many requests as there are at a time');
  assert.equal(await server.find('a', '34600000009'), '34600000009@c.us');
  assert.equal(hanging, 3);
  server.close();
  await Promise.all(codes);
});

test('a code that nobody scanned has expired, however often its server says so', async (t) => {
  const standIn = await StandIn.start(t, 'waha', '2026.7.1', 'PLUS', 'GOWS');
  const server = new WahaServer(standIn.url, KEY);
  t.after(() => server.close());
  const status = async () => (await server.list())[0]?.status;
  await server.create('a');
  await until(async () => (await status()) === 'scanning', 'a code');
  await standIn.command({ do: 'endCodes', name: 'a' });
  assert.deepEqual([await status(), await status()], ['expired', 'expired']);
});

describe('WAHA', async () => {
  const standIn = await StandIn.start({ after }, 'waha', '2024.10.8');

  test('shows a code at once after the phone has unlinked it, and says what is going on', async (t) => {
    const numero = newNumero();
    await standIn.command({ do: 'create', name: numero, phone: numero });
    const { gateway, comes, listener, scanned } = await openRemote(t, 'waha', standIn);
    await comes(numero, STATES.connected);
    await standIn.command({ do: 'logOut', name: numero });
    await comes(numero, STATES.disconnected);
    await call(gateway, `/api/session/levanta/${numero}`);
    await scanned(numero);
    await comes(numero, STATES.connected);
    assert.match(JSON.stringify(listener.pushes), /CLAVES CADUCADAS: se pide un código nuevo\.\.\./);
  });

  for (const [what, command] of [
    ['its phone', 'logOut'],
    ['its server', 'stop'],
  ] as const) {
    test(`a number that loses ${what} has dropped, and is told so`, async (t) => {
      const numero = newNumero();
      await standIn.command({ do: 'create', name: numero, phone: numero });
      const { gateway, comes } = await openRemote(t, 'waha', standIn);
      await comes(numero, STATES.connected);
      await standIn.command({ do: command, name: numero });
      assert.deepEqual((await comes(numero, STATES.disconnected)).reason, {
        code: 'connection-lost',
        text: 'Se cortó la conexión con WhatsApp.',
      });
      const { body } = await call(gateway, `/api/session/${numero}/history`);
      assert.equal(outagesIn(Array.isArray(body) ? body : []).length, 1);
    });
  }

  test('unlinks a session whose credentials WhatsApp rejects', async (t) => {
    const numero = newNumero();
    await standIn.command({ do: 'create', name: numero, phone: numero });
    const { gateway, comes, item } = await openRemote(t, 'waha', standIn);
    await comes(numero, STATES.connected);
    await standIn.command({ do: 'logOut', name: numero });
    await comes(numero, STATES.disconnected);
    const unlinked = await call(gateway, `/api/session/${numero}/unlink`, { method: 'POST' });
    assert.equal(unlinked.status, 202);
    assert.equal((await item(numero))?.reason?.code, 'unlinked');
  });

  test('can send from numbers near their limits, after all others', async (t) => {
    const [RESTRICTED, NEAR, STOPPED] = [newNumero(), newNumero(), newNumero()];
    const [FREE, FAR] = [newNumero(), newNumero()];
    const quota = (usedQuota: number) => ({ messageCapping: { totalQuota: 20, usedQuota } });
    const listed = [
      [RESTRICTED, 'WORKING', { reachoutTimelock: { isActive: true } }],
      [NEAR, 'WORKING', quota(18)],
      [STOPPED, 'STOPPED', {}],
      [FREE, 'WORKING', {}],
      [FAR, 'WORKING', quota(17)],
    ] as const;
    const json = listed.map(([name, status, limits]) => ({
      name,
      status,
      me: { id: `${name}@c.us`, ...limits },
    }));
    const as = { status: 200, json };
    await standIn.command({ do: 'faults', faults: [{ of: 'GET /api/sessions', as }] });
    t.after(() => standIn.command({ do: 'faults', faults: [] }));
    const { gateway, comes } = await openRemote(t, 'waha', standIn);
    await comes(FAR, STATES.connected);
    const { body } = await call(gateway, '/api/session/sessions?able=send');
    assert.ok(Array.isArray(body));
    assert.deepEqual(
      body.map(({ numero }) => numero),
      [FREE, FAR, RESTRICTED, NEAR],
    );
  });

  test('tells when its codes end: the first after 60 s, each later one after 20 s', async (t) => {
    const numero = newNumero();
    const { gateway, item } = await openRemote(t, 'waha', standIn);
    /** Has another code come, which lives for so long from then on, and returns it. */
    const brought = async (bring: () => Promise<unknown>, life: number, before?: string) => {
      const begun = Date.now();
      await bring();
      const { qrCode, codeExpires = 0 } = await until(async () => {
        const found = await item(numero);
        return found?.qrCode !== undefined && found.qrCode !== before ? found : undefined;
      }, 'another code');
      assert.ok(codeExpires >= begun + life && codeExpires <= Date.now() + life, `${codeExpires - begun}`);
      return qrCode;
    };
    const first = await brought(() => call(gateway, `/api/session/levanta/${numero}`), 60_000);
    await brought(() => standIn.command({ do: 'renewCode', name: numero }), 20_000, first);
  });
});

test('an edition with one session refuses another number in a sentence', async (t) => {
  const standIn = await StandIn.start(t, 'waha', '2024.10.8', 'CORE');
  await standIn.command({ do: 'create', name: 'default', phone: '34600000001' });
  const { gateway, comes, item } = await openRemote(t, 'waha', standIn);
  await comes('34600000001', STATES.connected);
  const { status, body } = await call(gateway, '/api/session/levanta/34600000002');
  assert.equal(status, 409);
  assert.match(String(Object(body).message), /^El servidor solo admite la sesión «default»/);
  assert.equal(await item('34600000002'), undefined);
});

test('a number whose server has ended, and is back without it, has dropped', async (t) => {
  const standIn = await StandIn.start(t, 'waha', '2024.10.8', 'CORE');
  await standIn.command({ do: 'create', name: 'default', phone: '34600000001' });
  const { comes } = await openRemote(t, 'waha', standIn);
  await comes('34600000001', STATES.connected);
  await standIn.kill();
  await comes('34600000001', 'SIN CONEXIÓN CON EL SERVIDOR DE LA SESIÓN: se sigue intentando...');
  await standIn.restart();
  assert.equal((await comes('34600000001', STATES.disconnected)).reason?.code, 'connection-lost');
});

test('only a version that reports the status of messages announces it', async (t) => {
  for (const [version, words] of [
    ['2024.10.8', ['unlink', 'pairing']],
    ['2026.7.1', ['unlink', 'pairing', 'ack']],
  ] as const) {
    const standIn = await StandIn.start(t, 'waha', version);
    const { listener } = await openRemote(t, 'waha', standIn);
    const [, announced] = await until(
      () => listener.all.find(([name]) => name === 'server:extensions'),
      'it',
    );
    const { extensions = [] }: { extensions?: string[] } = Object(announced);
    assert.deepEqual(
      extensions.filter((one) => /unlink|pairing|ack/.test(one)),
      words,
    );
  }
});
