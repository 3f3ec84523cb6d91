import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Server } from 'socket.io';
import { STATES } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { EvolutionServer } from '../../src/engines/evolution/server.ts';
import { RemoteEngine } from '../../src/engines/remote/engine.ts';
import type { Feed } from '../../src/engines/remote/server.ts';
import { memoryLedger } from '../../src/ledger/sqlite.ts';
import { createLogger } from '../../src/log.ts';
import { call } from '../support/gateway.ts';
import { StandIn } from '../support/stand-in.ts';
import { newNumero, openRemote } from './lab.ts';
import { listen, stopDeadlines } from './listen.ts';

/** Serves the events and the HTTP answers of an Evolution API, and opens its feed; resolves with the server and what it tells. */
async function openFeed(scope: Scope, answer: (path: string) => string) {
  const { http, url } = await listen(scope, ({ url = '' }, response) => response.end(answer(url)));
  const io = new Server(http);
  const server = new EvolutionServer(url.href, 'key');
  scope.after(() => {
    server.close();
    return io.close();
  });
  const told: unknown[] = [];
  const feed: Feed = {
    opened() {},
    closed() {},
    status: (name, status) => told.push([name, status]),
    code: (name, code) => told.push([name, code]),
    ack() {},
    changed() {},
    removed() {},
  };
  await server.events.open(feed);
  /** Sends an event about an instance, and waits until something is told of it. */
  const tell = async (event: string, data: object) => {
    const { length } = told;
    io.emit(event, { instance: 'x', data });
    await until(() => told.length > length, `what becomes of ${event}`);
  };
  return { server, told, tell };
}

test("each of Evolution API's codes lives for 45 seconds", async (t) => {
  t.mock.method(Date, 'now', () => 1_000);
  const { told, tell } = await openFeed(t, () => '{"instance":{"state":"connecting"}}');
  for (const code of ['2@a', '2@b']) await tell('qrcode.updated', { qrcode: { code } });
  assert.deepEqual(told, [
    ['x', { code: '2@a', expires: 46_000 }],
    ['x', { code: '2@b', expires: 46_000 }],
  ]);
});

test('a code that a phone has scanned is not shown by a list that was on its way', async (t) => {
  const { server, tell } = await openFeed(t, (path) => {
    if (path.startsWith('/instance/connect/')) return '{"code":"2@a"}';
    if (path.startsWith('/instance/connectionState/')) return '{"instance":{"state":"connecting"}}';
    return '[{"name":"x","connectionStatus":"connecting"}]';
  });
  await tell('qrcode.updated', { qrcode: { code: '2@a' } });
  assert.equal((await server.list())[0]?.status, 'scanning');
  await tell('connection.update', { state: 'open' });
  await tell('connection.update', { state: 'connecting' });
  assert.equal((await server.list())[0]?.status, 'starting');
});

test('eight instances are started at a time, without waiting for a code, and hold up no message', async (t) => {
  stopDeadlines(t);
  const created: unknown[] = [];
  let connecting = 0;
  const { url } = await listen(t, async (request, response) => {
    if (request.url === '/instance/create') {
      created.push(JSON.parse(await text(request)));
      response.end('{}');
    } else if (request.url?.startsWith('/instance/connect/')) connecting += 1;
    else response.end('[]');
  });
  const server = new EvolutionServer(url.href, 'key');
  const options = { allowDelete: false, held: async () => [] };
  const engine = new RemoteEngine(server, memoryLedger, options, createLogger('silent'));
  await engine.restore(() => () => {});
  const starts = Array.from({ length: 10 }, () => engine.start(newNumero(), () => {}));
  await until(() => connecting === 8, 'as many connections as there are at a time');
  assert.equal(await server.find('a', '34600000009'), undefined);
  assert.equal(connecting, 8);
  assert.equal(created.length, 8);
  for (const body of created) assert.equal(Object(body).qrcode, false);
  await engine.close();
  await Promise.allSettled(starts);
});

describe('Evolution API', async () => {
  const standIn = await StandIn.start({ after }, 'evolution');
  /** The code that an instance shows on the server. */
  const shown = (name: string) =>
    until(async () => (await standIn.sessions()).find((one) => one.name === name)?.code, 'a code there');

  async function scanning(): Promise<string> {
    const numero = newNumero();
    await standIn.command({ do: 'create', name: numero });
    await shown(numero);
    return numero;
  }

  test('while WhatsApp cannot be reached, linked numbers connect again, and none ends', async (t) => {
    const numeros = [newNumero(), newNumero(), newNumero()];
    for (const name of numeros) await standIn.command({ do: 'create', name, phone: name });
    const unlinked = await scanning();
    const timings = { every: 50, alone: 50, spacing: 20 };
    const { comes, item, caughtUp, pushesOf } = await openRemote(t, 'evolution', standIn, { timings });
    for (const numero of numeros) await comes(numero, STATES.connected);
    await until(async () => (await item(unlinked))?.qrCode, 'its code');
    const lists = async () => {
      // Each list follows the one before it, and each push those before it.
      for (const name of [newNumero(), newNumero(), newNumero()]) {
        await standIn.command({ do: 'create', name, phone: name });
        await comes(name, 'OPENING');
        await until(() => pushesOf(name).length > 0, 'it to be pushed');
      }
    };
    t.after(() => standIn.command({ do: 'outage', isOut: false }));

    const mark = await caughtUp();
    await standIn.command({ do: 'outage', isOut: true });
    await lists();
    for (const numero of numeros) {
      const { state, reason } = (await item(numero)) ?? {};
      assert.deepEqual([state, reason?.code], ['OPENING', 'connection-lost']);
    }
    for (const numero of numeros) assert.deepEqual(pushesOf(numero, mark), ['change_state']);
    assert.ok(!pushesOf(unlinked, mark).includes('disconnected'));

    await standIn.command({ do: 'outage', isOut: false });
    for (const numero of numeros) await comes(numero, STATES.connected);
    await until(async () => (await item(unlinked))?.qrCode === (await shown(unlinked)), 'its code');
  });

  test('a deleted instance that lives on changes nothing of the connected one of its name', async (t) => {
    const numero = newNumero();
    const other = newNumero();
    for (const name of [numero, other]) await standIn.command({ do: 'create', name, phone: name });
    const lab = await openRemote(t, 'evolution', standIn);
    const { gateway, comes, goes, scanned, pushesOf } = lab;
    await comes(numero, STATES.connected);
    await standIn.command({ do: 'outage', isOut: true });
    await standIn.command({ do: 'remove', name: numero });
    await standIn.command({ do: 'outage', isOut: false });
    await goes(numero);
    await call(gateway, `/api/session/levanta/${numero}`);
    await scanned(numero);
    await until(() => pushesOf(numero).at(-1) === 'ready', 'the new one to be linked');
    await comes(other, STATES.connected);

    for (const areCodesOver of [false, true]) {
      const { mark } = lab.listener;
      await standIn.command({ do: 'haunt', name: numero, areCodesOver });
      await standIn.command({ do: 'loseLine', name: other });
      await comes(other, 'OPENING');
      await standIn.command({ do: 'recoverLine', name: other });
      await comes(other, STATES.connected);
      await lab.caughtUp();
      assert.deepEqual(pushesOf(numero, mark), []);
    }
  });

  test('an instance that scans when it is found shows its code, and when that ends', async (t) => {
    const numero = await scanning();
    const { item, scanned, comes } = await openRemote(t, 'evolution', standIn);
    await until(async () => (await item(numero))?.qrCode, 'its code');
    const { qrCode, codeExpires = 0 } = (await item(numero)) ?? {};
    assert.equal(qrCode, await shown(numero));
    assert.ok(codeExpires > Date.now() && codeExpires <= Date.now() + 45_000);
    await scanned(numero);
    await comes(numero, STATES.connected);
  });

  test('one that is added while it scans shows its code', async (t) => {
    const numero = await scanning();
    const lab = await openRemote(t, 'evolution', standIn);
    await call(lab.gateway, `/api/session/${numero}`, { method: 'DELETE' });
    await lab.goes(numero);
    await call(lab.gateway, `/api/session/levanta/${numero}`);
    await until(async () => (await lab.item(numero))?.qrCode === (await shown(numero)), 'its code');
  });

  test('a code that came while the feed was away is shown', async (t) => {
    const numero = await scanning();
    const { item } = await openRemote(t, 'evolution', standIn);
    await until(async () => (await item(numero))?.qrCode, 'its code');
    await standIn.command({ do: 'mute', muted: true });
    await standIn.command({ do: 'dropFeeds' });
    await standIn.command({ do: 'renewCode', name: numero });
    const code = await shown(numero);
    await until(async () => (await item(numero))?.qrCode === code, 'the other code');
    await standIn.command({ do: 'mute', muted: false });
  });

  test('after its restart, instances that nobody started show their codes', async (t) => {
    const numero = await scanning();
    const { item } = await openRemote(t, 'evolution', standIn);
    await until(async () => (await item(numero))?.qrCode, 'its code');
    await standIn.restart();
    const code = await shown(numero);
    await until(async () => (await item(numero))?.qrCode === code, 'its code of now');
  });

  test('a code to type ends with the code to scan that it came with', async (t) => {
    const numero = newNumero();
    const { gateway, item, comes } = await openRemote(t, 'evolution', standIn);
    await call(gateway, `/api/session/levanta/${numero}`);
    await until(async () => (await item(numero))?.qrCode, 'a code');
    const { status, body } = await call(gateway, `/api/session/${numero}/pairing`, { method: 'POST' });
    assert.equal(status, 200);
    const { code, expires } = Object(body);
    assert.ok(expires <= Date.now() + 45_000);
    await standIn.command({ do: 'type', phone: numero, code });
    await comes(numero, STATES.connected);
  });
});
