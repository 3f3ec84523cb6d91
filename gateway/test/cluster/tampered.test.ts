import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CHANGE_STATE, STATES } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { call, Listener, listOf, message, NUMERO, sessionOf, startGateway } from '../support/gateway.ts';
import { startPostgres } from './support/postgres.ts';

const scope: Scope = { after };
const server = await startPostgres(scope);

test('what others say on the channel is ignored', async (t) => {
  const database = await server.freshDatabase();
  const gateway = await startGateway(t, { cluster: { database, lease: 5 } });
  const listener = await Listener.connect(t, gateway);
  const others = [
    'nonsense',
    '',
    'null',
    '1',
    '[]',
    '{}',
    '{"type":"of a later version"}',
    '{"type":"mark"}',
    '{"type":"removed"}',
    '{"type":"changes"}',
    '{"type":"changes","changes":[null]}',
    `{"type":"changes","changes":[{"session":{"numero":"${NUMERO}"},"place":1,"version":1,"pushes":[]}]}`,
  ];
  const name = new URL(database).pathname.slice(1);
  for (const text of others) {
    await server.query((sql) => sql`SELECT pg_notify('whatsapp_operadores', ${text})`, name);
  }
  assert.equal((await call(gateway, `/api/session/levanta/${NUMERO}`)).status, 200);
  await listener.heard(CHANGE_STATE);
  assert.equal((await sessionOf(gateway, NUMERO))?.state, STATES.authenticating);
});

test('a numero that PostgreSQL cannot hold is refused as any other that is none', async (t) => {
  const gateway = await startGateway(t, { cluster: { database: await server.freshDatabase(), lease: 5 } });
  assert.equal((await call(gateway, '/api/session/levanta/%00')).status, 400);
  assert.equal((await call(gateway, '/api/session/%00', { method: 'DELETE' })).status, 404);
  const body = message('52155\0', [34600000001]);
  assert.equal((await call(gateway, '/api/message', { method: 'POST', body })).status, 404);
});

test('sessions whose rows were freed or deleted by hand are carried again, or gone everywhere', async (t) => {
  const database = await server.freshDatabase();
  const name = new URL(database).pathname.slice(1);
  const query = (statement: string) => server.query((sql) => sql.unsafe(statement), name);
  const start = () => startGateway(t, { sessions: 6, cluster: { database, lease: 5 } });
  const gateways = [await start(), await start()];
  const owned = async () => (await query('SELECT FROM session WHERE owner IS NOT NULL')).length;
  await until(async () => (await owned()) === 6, 'the sessions to be carried');

  await query('UPDATE session SET owner = NULL');
  await until(async () => (await owned()) === 6, 'the sessions to be carried again');

  const [row] = await query(
    'DELETE FROM session WHERE place = (SELECT min(place) FROM session) RETURNING numero',
  );
  const isGone = async () => {
    const lists = await Promise.all(gateways.map(listOf));
    return lists.every((list) => list.length === 5 && !list.some(({ numero }) => numero === row?.numero));
  };
  await until(isGone, 'the deleted one to be gone');
  assert.equal(await owned(), 5);
});
