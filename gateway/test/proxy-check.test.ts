import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { listening } from '../../test/support/listening.ts';
import { PATIENCE } from '../../test/support/patience.ts';
import { until } from '../../test/support/until.ts';
import { aborted } from '../src/engines/whatsapp/waits.ts';
import { testProxy } from '../src/proxy/check.ts';
import { parseProxy } from '../src/proxy/proxy.ts';
import { routeThrough } from '../src/proxy/route.ts';

const CHECKS = { whatsapp: 'ws://whatsapp.example/', page: 'https://page.example/', timeout: 100 };

/** Starts a proxy, and returns it and its clients. */
async function startProxy(t: TestContext, scheme: string, serve: (client: Socket) => void) {
  const clients: Socket[] = [];
  const server = createServer((client) => {
    clients.push(client.on('error', () => {}));
    serve(client);
  });
  const port = await listening(t, server);
  return { proxy: parseProxy(`${scheme}://127.0.0.1:${port}`) ?? assert.fail('no proxy'), clients };
}

test('a SOCKS proxy that lets a connection through too late keeps none', async (t) => {
  const late = new AbortController();
  const { proxy, clients } = await startProxy(t, 'socks5', (client) => {
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', async () => {
        await aborted(late.signal);
        client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
      });
    });
  });
  await assert.rejects(testProxy(proxy, CHECKS), { failure: 'silent' });
  late.abort();
  await until(() => clients[0]?.destroyed, 'the end of the connection');
});

test('an answer that changes the protocol is none', async (t) => {
  const { proxy } = await startProxy(t, 'http', (client) => {
    client.once('data', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.once('data', () =>
        client.write('HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
      );
    });
  });
  await assert.rejects(testProxy(proxy, CHECKS), { failure: 'silent' });
});

test('an answer of a proxy whose headers have no end is given up early', async (t) => {
  const { proxy, clients } = await startProxy(t, 'http', (client) => {
    client.once('data', () => {
      const more = () => client.write(`X-Header: ${'x'.repeat(1_000)}\r\n`, (error) => error ?? more());
      client.write('HTTP/1.1 200 OK\r\n', more);
    });
  });
  await assert.rejects(testProxy(proxy, { ...CHECKS, timeout: PATIENCE }), { failure: 'refuses' });
  await until(() => clients[0]?.destroyed, 'the end of the connection');
});

test('a connection through a proxy ends with its route', async (t) => {
  const { proxy, clients } = await startProxy(t, 'http', (client) => {
    client.once('data', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
  });
  const route = routeThrough(proxy);
  const asked = get('https://page.example/', { agent: route.agent });
  await once(asked, 'socket');
  route.close();
  await assert.rejects(once(asked, 'response'), { code: 'ECONNRESET' });
  await until(() => clients[0]?.destroyed, 'the end of the connection');
});
