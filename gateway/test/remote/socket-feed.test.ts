import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Server } from 'socket.io';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../test/support/until.ts';
import { EvolutionClient } from '../../src/engines/evolution/client.ts';
import { LONGEST } from '../../src/engines/remote/limits.ts';
import { SocketFeed } from '../../src/engines/remote/socket-feed.ts';
import { listen } from './listen.ts';

const DEEP = '['.repeat(1_000);

/** A feed's events, and the server's end of it. */
async function openFeed(t: TestContext) {
  const { http, url } = await listen(t);
  const server = new WebSocketServer({ server: http });
  const heard: unknown[] = [];
  let closings = 0;
  const feed = new SocketFeed(url, {
    opened() {},
    closed() {
      closings += 1;
    },
    onEvent: (event) => heard.push(event),
  });
  t.after(() => feed.close());
  const [[socket]] = await Promise.all([once(server, 'connection'), feed.open()]);
  const theirs: WebSocket = socket;
  return { theirs, heard, closings: () => closings };
}

test('a ping is answered, and an event that is nested too deeply is left out', async (t) => {
  const { theirs, heard } = await openFeed(t);
  theirs.send(DEEP);
  theirs.send('{"event":1}');
  theirs.ping('sign');
  const [data] = await once(theirs, 'pong');
  assert.equal(String(data), 'sign');
  assert.deepEqual(heard, [{ event: 1 }]);
});

test('a server that reads no answer to its pings is left', async (t) => {
  const { theirs, closings } = await openFeed(t);
  t.mock.getter(WebSocket.prototype, 'bufferedAmount', () => 65_536);
  theirs.ping();
  await until(() => closings() > 0, 'the feed to close');
});

test("of Evolution API's feed, what is nested too deeply is left out, and one event may have 4 MB", async (t) => {
  const { http, url } = await listen(t);
  const io = new Server(http);
  const heard: string[] = [];
  let closings = 0;
  const client = new EvolutionClient(url.href, 'key');
  t.after(() => {
    client.close();
    return io.close();
  });
  client.on('connection.update', ({ instance }) => heard.push(instance));
  client.on('instance.create', ({ instance }) => heard.push(instance));
  await client.open({
    opened() {},
    closed() {
      closings += 1;
    },
  });
  let data = {};
  for (let depth = 0; depth < 40; depth++) data = { data };
  io.emit('instance.create', { instance: 'a', data });
  io.emit('connection.update', { instance: 'b', data: { state: 'open' } });
  await until(() => heard.length > 0, 'an event');
  assert.deepEqual(heard, ['b']);
  io.emit('instance.create', { instance: 'c', data: 'a'.repeat(LONGEST.event) });
  await until(() => closings > 0, 'the feed to close');
});
