import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Server } from 'socket.io';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../test/support/until.ts';
import { EvolutionClient } from '../../src/engines/evolution/client.ts';
import { FEED, MOST_UNREAD } from '../../src/engines/remote/limits.ts';
import { SocketFeed } from '../../src/engines/remote/socket-feed.ts';
import { listen } from './listen.ts';

const DEEP = '['.repeat(1_000);

/** A feed, the server's end of it, and what the feed tells. */
async function openFeed(t: TestContext) {
  const { http, url } = await listen(t);
  const server = new WebSocketServer({ server: http });
  const heard: unknown[] = [];
  const closed: boolean[] = [];
  const feed = new SocketFeed(url, {
    opened() {},
    closed: (isFlooded) => closed.push(isFlooded),
    onEvent: (event) => heard.push(event),
  });
  t.after(() => feed.close());
  const [[socket]] = await Promise.all([once(server, 'connection'), feed.open()]);
  const theirs: WebSocket = socket;
  return { theirs, heard, closed };
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

/** Makes all that comes come within a second, however busy the machine is. */
function stopClock(t: TestContext): void {
  t.mock.method(performance, 'now', () => 0);
}

test('a flood of pings closes the feed', async (t) => {
  stopClock(t);
  const { theirs, closed } = await openFeed(t);
  for (let pings = 0; pings <= FEED.messages; pings++) theirs.ping();
  await until(() => closed.length > 0, 'the feed to close');
  assert.deepEqual(closed, [true]);
});

test('so do too many bytes in a second, in few events', async (t) => {
  stopClock(t);
  const { theirs, heard, closed } = await openFeed(t);
  const event = JSON.stringify('a'.repeat(1_000_000));
  for (let bytes = 0; bytes <= FEED.bytes; bytes += event.length) theirs.send(event);
  await until(() => closed.length > 0, 'the feed to close');
  assert.deepEqual(closed, [true]);
  assert.equal(heard.length, Math.floor(FEED.bytes / event.length));
});

test('a server that reads no answer to its pings is left', async (t) => {
  const { theirs, closed } = await openFeed(t);
  t.mock.getter(WebSocket.prototype, 'bufferedAmount', () => MOST_UNREAD);
  theirs.ping();
  await until(() => closed.length > 0, 'the feed to close');
  assert.deepEqual(closed, [false]);
});

test("of Evolution API's feed, pings are counted, and what is nested too deeply is left out", async (t) => {
  stopClock(t);
  const { http, url } = await listen(t);
  const io = new Server(http);
  const raw = once(http, 'upgrade');
  const heard: string[] = [];
  const closed: boolean[] = [];
  const client = new EvolutionClient(url.href, 'key');
  t.after(() => {
    client.close();
    return io.close();
  });
  client.on('connection.update', ({ instance }) => heard.push(instance));
  client.on('instance.create', ({ instance }) => heard.push(instance));
  await client.open({ opened() {}, closed: (isFlooded) => closed.push(isFlooded) });
  let data = {};
  for (let depth = 0; depth < 40; depth++) data = { data };
  io.emit('instance.create', { instance: 'a', data });
  io.emit('connection.update', { instance: 'b', data: { state: 'open' } });
  await until(() => heard.length > 0, 'an event');
  assert.deepEqual(heard, ['b']);
  const [, socket] = await raw;
  // Unmasked, without data.
  socket.write(Buffer.from('8900'.repeat(FEED.messages + 1), 'hex'));
  await until(() => closed.length > 0, 'the feed to close');
  assert.deepEqual(closed, [true]);
});
