import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { UNASSIGNED } from '../../src/ledger/session-rows.ts';
import { call, itemsOf, Listener, listOf, message, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn, SHORT_LEASE } from './support/lease.ts';
import { freshDatabase, sharedPostgres, startPostgres } from './support/postgres.ts';
import { addNode, beatNow, connectTables, startTables } from './support/tables.ts';

const SESSIONS = [{ numero: NUMERO, state: 'connected' }] as const;
/** In milliseconds since 1970. */
const CONNECTED_AT = 1_700_000_000_000;
const HIDDEN = { numero: NUMERO, state: UNASSIGNED };

test('a session that no gateway owns is not listed as connected, and panels hear that and its return', async (t) => {
  const database = await freshDatabase();
  const start = () => startGateway(t, { sessions: SESSIONS, cluster: clusterOn(database) });
  const owner = await start();
  const isConnected = async () => (await listOf(owner))[0]?.state === STATES.connected;
  await until(isConnected, 'the session to be connected');
  const other = await start();
  const panel = await Listener.connect(t, other);

  const letGo = await (await sharedPostgres()).holdClaims(new URL(database).pathname.slice(1));
  await owner.close();
  const [hidden] = await panel.heard('session:change_state');
  assert.deepEqual(hidden, HIDDEN);
  const [item] = await listOf(other);
  assert.equal(item?.state, UNASSIGNED);
  const body = message(NUMERO, [34600000009]);
  assert.equal((await call(other, '/api/message', { method: 'POST', body })).status, 503);

  await letGo();
  await beatNow((await connectTables(t, database)).sql);
  await panel.heard(`session:ready:${NUMERO}`);
  assert.equal((await listOf(other))[0]?.state, STATES.connected);
});

test('a gateway that has lost its lease lists no session as connected, until it has joined again', async (t) => {
  const server = await startPostgres(t);
  const cluster = clusterOn(await server.freshDatabase(), { lease: SHORT_LEASE });
  const gateway = await startGateway(t, { sessions: SESSIONS, cluster });
  await until(
    async () => (await listOf(gateway))[0]?.state === STATES.connected,
    'the session to be connected',
  );
  const panel = await Listener.connect(t, gateway);
  const showing = (state: string) => until(async () => (await listOf(gateway))[0]?.state === state, state);
  server.pause();
  await showing(UNASSIGNED);
  await panel.heard('session:change_state');
  server.resume();
  await panel.heard(`session:ready:${NUMERO}`);
  await showing(STATES.connected);
});

test('a session whose end cannot be written is listed as connected by no gateway, until it is', async (t) => {
  const { url: database } = await startTables(t);
  const start = () => startGateway(t, { sessions: SESSIONS, cluster: clusterOn(database) });
  const owner = await start();
  const gateways = [owner];
  const showing = (state: string) =>
    until(async () => {
      const lists = await Promise.all(gateways.map(listOf));
      return lists.every(([session]) => session?.state === state);
    }, state);
  await showing(STATES.connected);
  const other = await start();
  gateways.push(other);
  await showing(STATES.connected);
  const panel = await Listener.connect(t, other);
  const { begin } = await connectTables(t, database);
  await begin(async (tx) => {
    await tx`LOCK TABLE session`;
    owner.phones.phone(NUMERO).logOut('device-removed');
    const [hidden] = await panel.heard('session:change_state');
    assert.deepEqual(hidden, HIDDEN);
    await showing(UNASSIGNED);
    assert.equal((await call(owner, '/readyz')).status, 503);
  });
  await showing(STATES.disconnected);
  await until(async () => (await call(owner, '/readyz')).status === 200, 'the gateway to be ready');
});

test('a session of a gateway that cannot be reached is not listed as connected, until that gateway beats again', async (t) => {
  const { url: database, sql } = await startTables(t);
  const owner = await addNode(sql);
  await sql`
    INSERT INTO session (id, numero, owner, state, waiting, details)
    VALUES (${NUMERO}, ${NUMERO}, ${owner}, ${STATES.connected}, false, ${JSON.stringify({ since: CONNECTED_AT })}::jsonb)`;
  const gateway = await startGateway(t, { cluster: clusterOn(database) });
  const item = async () => (await itemsOf(gateway))[0];
  assert.equal((await item())?.state, STATES.connected);
  const begun = Date.now();
  const panel = await Listener.connect(t, gateway);

  const body = message(NUMERO, [34600000009]);
  assert.equal((await call(gateway, '/api/message', { method: 'POST', body })).status, 503);
  const [hidden] = await panel.heard('session:change_state');
  assert.deepEqual(hidden, HIDDEN);
  const hiddenItem = await item();
  assert.equal(hiddenItem?.state, UNASSIGNED);
  const { since = 0 } = hiddenItem;
  assert.ok(since >= begun, 'the state began when the gateway could not be reached');
  assert.deepEqual(await panel.heard(`session:details:${NUMERO}`), [{ since }]);

  await sql`UPDATE node SET beats = beats + 1 WHERE id = ${owner}`;
  await beatNow(sql);
  await panel.heard(`session:ready:${NUMERO}`);
  const regained = await item();
  assert.deepEqual([regained?.state, regained?.since], [STATES.connected, CONNECTED_AT]);
});
