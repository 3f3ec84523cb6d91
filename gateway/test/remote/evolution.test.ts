import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Server } from 'socket.io';
import { until } from '../../../test/support/until.ts';
import { EvolutionServer } from '../../src/engines/evolution/server.ts';
import type { Feed } from '../../src/engines/remote/server.ts';
import { listen } from './listen.ts';

test("each of Evolution API's codes lives for 45 seconds", async (t) => {
  t.mock.method(Date, 'now', () => 1_000);
  const { http, url } = await listen(t);
  const io = new Server(http);
  const server = new EvolutionServer(url.href, 'key');
  t.after(() => {
    server.close();
    return io.close();
  });
  const codes: unknown[] = [];
  const feed: Feed = {
    opened() {},
    closed() {},
    status() {},
    code: (...code) => codes.push(code),
    codeEnded() {},
    ack() {},
    changed() {},
  };
  await server.events.open(feed);
  for (const code of ['2@a', '2@b']) io.emit('qrcode.updated', { instance: 'x', data: { qrcode: { code } } });
  await until(() => codes.length === 2, 'the codes');
  assert.deepEqual(codes, [
    ['x', '2@a', 46_000],
    ['x', '2@b', 46_000],
  ]);
});
