import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { listening } from '../../test/support/listening.ts';
import { endUnread } from '../src/http/server.ts';

const ANSWER = 'x'.repeat(20_000_000);

test('a client that reads nothing of its answer is disconnected', async (t) => {
  await assertCutOff(t, await serve(t, (response) => response.end(ANSWER)));
});

test('a client that reads its answer is not disconnected', async (t) => {
  // Longer than this process, which is server and client at once, ever stands still.
  const { port } = await serve(t, (response) => response.end(ANSWER), 30_000);
  const read = await fetch(`http://127.0.0.1:${port}`);
  assert.equal((await read.text()).length, ANSWER.length);
});

test('a client that reads nothing of a file is disconnected before all of it was read from the disk', async (t) => {
  const served = await serve(t, (response) => Readable.from(endless()).pipe(response));
  await assertCutOff(t, served);
});

interface Served {
  readonly server: Server;
  readonly port: number;
}

/** Serves on a port of its own, and disconnects clients that have read nothing for `timeout` milliseconds. */
async function serve(
  t: TestContext,
  answer: (response: ServerResponse) => void,
  timeout = 100,
): Promise<Served> {
  const server = createServer((_request, response) => answer(response));
  endUnread(server, timeout);
  return { server, port: await listening(t, server) };
}

async function assertCutOff(t: TestContext, { server, port }: Served): Promise<void> {
  const connected = once(server, 'connection');
  const client = connect(port, '127.0.0.1').pause();
  t.after(() => client.destroy());
  client.on('error', () => {});
  client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  const [connection]: Socket[] = await connected;
  assert.ok(connection);
  await once(connection, 'close', { signal: AbortSignal.timeout(30_000) });
}

function* endless(): Generator<string> {
  for (;;) yield 'x'.repeat(100_000);
}
