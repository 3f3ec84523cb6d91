import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { listening } from '../../../test/support/listening.ts';
import { connectPostgres } from '../../src/ledger/database.ts';

/** The server's first packets: the login is accepted, it takes writes, and it is ready. */
const READY = [
  packet('R', '\0\0\0\0'),
  packet('S', 'in_hot_standby\0off\0'),
  packet('S', 'default_transaction_read_only\0off\0'),
  packet('Z', 'I'),
].join('');

describe('a connection to PostgreSQL', () => {
  test('that ends before the server has answered fails its statement, and nothing else', async (t) => {
    const server = createServer((socket) => {
      socket.once('data', () => socket.write(READY, 'latin1'));
      socket.on('error', () => {});
    });
    const port = await listening(t, server);
    const strays: unknown[] = [];
    const stray = (reason: unknown) => strays.push(reason);
    process.on('unhandledRejection', stray);
    t.after(() => process.off('unhandledRejection', stray));

    const database = await connectPostgres(`postgres://postgres@127.0.0.1:${port}/postgres`, {
      max: 1,
      name: 'test',
    });
    const statement = assert.rejects(database.sql`SELECT 1`);
    const [socket] = await once(server, 'connection');
    await once(socket, 'data');
    await once(socket, 'data');
    await database.end();
    await statement;
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(strays, []);
  });
});

/** Returns a packet of the protocol: a type, the length of the rest, and the rest. */
function packet(type: string, rest: string): string {
  return `${type}\0\0\0${String.fromCharCode(rest.length + 4)}${rest}`;
}
