import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { endUnread } from '../../demo/gateway/unread.ts';

test('a client that reads nothing of its answer loses its connection; one that reads does not', async (t) => {
  const answer = 'x'.repeat(20_000_000);
  const server = createServer((_request, response) => response.end(answer));
  endUnread(server, 100);
  server.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const { port } = address;

  const connected = once(server, 'connection');
  const client = connect(port, '127.0.0.1').pause();
  t.after(() => client.destroy());
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  const [connection]: Socket[] = await connected;
  assert.ok(connection);
  await once(connection, 'close', { signal: AbortSignal.timeout(30_000) });

  const read = await fetch(`http://127.0.0.1:${port}`);
  assert.equal((await read.text()).length, answer.length);
});
