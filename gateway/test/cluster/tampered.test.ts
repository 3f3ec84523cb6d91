import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STATES } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { rotate } from '../../src/cluster/nodes-command.ts';
import type { Gateway } from '../../src/gateway.ts';
import { readSecretCipher } from '../../src/ledger/cluster-row.ts';
import { create } from '../../src/ledger/session-rows.ts';
import { createLogger } from '../../src/log.ts';
import {
  call,
  itemOf,
  Listener,
  listOf,
  message,
  NUMERO,
  sessionOf,
  startGateway,
} from '../support/gateway.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { clusterOn } from './support/lease.ts';
import { memberOf } from './support/member.ts';
import { freshDatabase, sharedPostgres, verbatim } from './support/postgres.ts';
import { Stranger } from './support/stranger.ts';
import { addNode, beatUntil, bury, connectTables } from './support/tables.ts';

/** Starts another session, which a gateway lists once it has heard all that was said before. */
async function another(gateway: Gateway): Promise<void> {
  const numero = '5215550002222';
  assert.equal((await call(gateway, `/api/session/levanta/${numero}`)).status, 200);
  await until(async () => await itemOf(gateway, numero), 'the other session');
}

test('another role of the server learns nothing from what it hears, and what it says changes nothing', async (t) => {
  const database = await freshDatabase();
  // No code ends meanwhile.
  const clock = new ManualClock();
  const gateway = await startGateway(t, { clock, cluster: clusterOn(database) });
  const stranger = await Stranger.connect(t, await sharedPostgres(), database);
  const body = { label: 'Recepción' };
  await call(gateway, `/api/session/levanta/${NUMERO}`);
  await call(gateway, `/api/session/${NUMERO}/details`, { method: 'PUT', body });
  clock.advance(1_000);
  const qrCode = await until(async () => (await itemOf(gateway, NUMERO))?.qrCode, 'a code');
  const session = await itemOf(gateway, NUMERO);
  assert.equal((await call(gateway, `/api/session/${NUMERO}/pairing`, { method: 'POST' })).status, 200);
  await until(() => stranger.heard.length >= 4, 'notifications');
  const heard = [...stranger.heard];
  for (const text of heard) {
    for (const secret of [NUMERO, qrCode, 'Recepci', STATES.authenticating])
      assert.ok(!text.includes(secret));
  }

  const forged = { ...session, qrCode: 'forged' };
  const change = {
    type: 'change',
    session: forged,
    place: 1,
    version: 9e15,
    owner: 'node',
    pushes: [{ event: 'qr', numero: NUMERO }],
  };
  const said = ['nonsense', '', ' ', 'null', '[]', '{"type":"mark"}', JSON.stringify(change), ...heard];
  for (const text of said) await stranger.say(text);
  assert.equal((await itemOf(gateway, NUMERO))?.qrCode, qrCode);

  // What was said of a session that is gone does not bring it back, in any order.
  assert.equal((await call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' })).status, 204);
  await until(async () => !(await itemOf(gateway, NUMERO)), 'the list to be without it');
  const listener = await Listener.connect(t, gateway);
  for (const text of [...heard].reverse()) await stranger.say(text);
  // What was said before is heard then.
  await another(gateway);
  assert.equal((await listOf(gateway)).length, 1);
  assert.deepEqual(
    listener.all.filter(([name]) => String(name).endsWith(NUMERO)),
    [],
  );
});

test('the start warns of a database that every role may connect to', async (t) => {
  const database = await freshDatabase();
  const { sql } = await connectTables(t, database);
  const lines: string[] = [];
  const logger = createLogger('warn', { write: (line) => lines.push(line) });
  const warnings = () => lines.filter((line) => line.includes('REVOKE CONNECT')).length;
  const cluster = clusterOn(database);
  await startGateway(t, { cluster, logger });
  assert.equal(warnings(), 1);
  const name = new URL(database).pathname.slice(1);
  await sql(verbatim(`REVOKE CONNECT ON DATABASE "${name}" FROM PUBLIC`));
  await startGateway(t, { cluster, logger });
  assert.equal(warnings(), 1);
});

test('gateways go on with a new secret, also one that has not heard of it', async (t) => {
  const database = await freshDatabase();
  const { sql } = await connectTables(t, database);
  const start = () => startGateway(t, { cluster: clusterOn(database) });
  const [first, second] = [await start(), await start()];
  assert.equal((await call(first, `/api/session/levanta/${NUMERO}`)).status, 200);
  await until(async () => (await sessionOf(second, NUMERO))?.qrCode, 'the code at the other one');
  await rotate(database);
  const agree = async (numero: string) => {
    await until(async () => (await call(first, `/api/session/levanta/${numero}`)).status === 200, 'a start');
    await until(async () => (await sessionOf(second, numero))?.qrCode, 'its code at the other one');
  };
  await agree('5215550002222');
  await sql`UPDATE cluster SET secret = ${'ab'.repeat(32)}`;
  // Like every gateway that starts, this one has the new secret; the others cannot read what it says.
  const third = await start();
  assert.equal((await call(third, '/api/session/levanta/5215550003333')).status, 200);
  for (const gateway of [first, second]) {
    await until(async () => (await sessionOf(gateway, '5215550003333'))?.qrCode, 'the code everywhere');
  }
  await agree('5215550004444');
});

test('a row of another form is listed without what nobody can read', async (t) => {
  const database = await freshDatabase();
  const { sql } = await connectTables(t, database);
  const gateway = await startGateway(t, { cluster: clusterOn(database) });
  await sql`
    INSERT INTO session (id, numero, state, waiting, details)
    VALUES (${NUMERO}, ${NUMERO}, 'DESCONECTADO', false, '{"since":"x","label":7}'),
      ('5215550002222', '5215550002222', 'DESCONECTADO', false, '{"state":5,"numero":null,"waiting":"x"}'),
      ('5215550003333', '5215550003333', 'AUTENTICANDO...', true, '{"numero":{"toString":1}}'),
      ('5215550004444', '5215550004444', 'DESCONECTADO', false, '[]')`;
  await startGateway(t, { cluster: clusterOn(database) });
  const others = ['5215550002222', '5215550003333', '5215550004444'];
  for (const numero of others) {
    await beatUntil(sql, async () => (await itemOf(gateway, numero))?.state === STATES.disconnected, numero);
    const remove = () => call(gateway, `/api/session/${numero}`, { method: 'DELETE' });
    // It is listed before somebody owns it.
    await until(async () => (await remove()).status === 204, `${numero} to be deleted`);
  }
  await until(async () => await itemOf(gateway, NUMERO), 'the session to be owned');
  const { label, since, state } = (await itemOf(gateway, NUMERO)) ?? {};
  assert.deepEqual({ label, state }, { label: undefined, state: STATES.disconnected });
  assert.notEqual(since, 'x');
});

test('a history is answered without entries that nobody can read, of which a line tells', async (t) => {
  const database = await freshDatabase();
  const { sql } = await connectTables(t, database);
  const lines: string[] = [];
  const logger = createLogger('error', { write: (line) => lines.push(line) });
  const gateway = await startGateway(t, { logger, cluster: clusterOn(database) });
  assert.equal((await call(gateway, `/api/session/levanta/${NUMERO}`)).status, 200);
  const history = () => call(gateway, `/api/session/${NUMERO}/history`);
  const entries = async () => Object((await history()).body);
  await until(async () => (await entries()).length > 0, 'an entry');
  const known: unknown[] = await entries();
  await sql`
    INSERT INTO archive (session, type, id, value)
    VALUES (${NUMERO}, 'history', '0000000000000001', 'odd'), (${NUMERO}, 'history', '0000000000000002', '{"at":1}')`;
  const { status, body: odd } = await history();
  assert.equal(status, 200);
  for (const entry of known) assert.ok(JSON.stringify(odd).includes(JSON.stringify(entry)));
  assert.ok(!JSON.stringify(odd).includes('"at":1}'));
  assert.equal(lines.length, 1);
});

test('that a link was opened counts for that link alone, and old codes to type for nobody', async (t) => {
  const database = await freshDatabase();
  const gateway = await startGateway(t, { cluster: clusterOn(database) });
  const stranger = await Stranger.connect(t, await sharedPostgres(), database);
  await call(gateway, `/api/session/levanta/${NUMERO}`);
  await until(async () => (await itemOf(gateway, NUMERO))?.qrCode, 'a code');
  const send = () => call(gateway, `/api/session/${NUMERO}/link`, { method: 'POST' });
  const { body } = await send();
  const before = await until(async () => (await itemOf(gateway, NUMERO))?.link, 'the link');
  const token = String(Object(body).url).split('#')[1];
  await Listener.connect(t, gateway, '/link', { auth: { token } });
  await until(async () => (await itemOf(gateway, NUMERO))?.link?.opened, 'the opening');
  assert.equal((await call(gateway, `/api/session/${NUMERO}/pairing`, { method: 'POST' })).status, 200);
  const opened = async () => {
    const history = await call(gateway, `/api/session/${NUMERO}/history`);
    return JSON.stringify(history.body).split('link_opened').length - 1;
  };
  const openings = await until(opened, 'the entry');

  await send();
  await until(async () => (await itemOf(gateway, NUMERO))?.link?.id !== before.id, 'the next link');
  for (const text of [...stranger.heard]) await stranger.say(text);
  const listener = await Listener.connect(t, gateway);
  // What was said before is heard then.
  await another(gateway);
  assert.equal((await itemOf(gateway, NUMERO))?.link?.opened, undefined);
  assert.equal(await opened(), openings);
  assert.ok(!listener.all.some(([name]) => name === `session:code:${NUMERO}`));
});

test('a session whose gateway dies right after it was created is listed, and owned by another one after the lease', async (t) => {
  const database = await freshDatabase();
  const gateway = await startGateway(t, { sessions: 0, cluster: clusterOn(database) });
  const { sql } = await connectTables(t, database);
  const id = await addNode(sql);
  const member = memberOf(sql, id, await readSecretCipher(sql));
  assert.equal((await create(member, NUMERO)).length, 1);
  const state = async () => (await itemOf(gateway, NUMERO))?.state;
  assert.equal(await until(state, 'the session'), STATES.authenticating);
  await bury(sql, id);
  await beatUntil(sql, async () => (await state()) === STATES.disconnected, 'the session to be owned');
});

test('a numero that PostgreSQL cannot hold is refused as any other that is none', async (t) => {
  const gateway = await startGateway(t, { cluster: clusterOn(await freshDatabase()) });
  assert.equal((await call(gateway, '/api/session/levanta/%00')).status, 400);
  assert.equal((await call(gateway, '/api/session/%00', { method: 'DELETE' })).status, 404);
  const body = message('52155\0', [34600000001]);
  assert.equal((await call(gateway, '/api/message', { method: 'POST', body })).status, 404);
});

test('sessions whose rows were freed or deleted by hand are owned again, or gone everywhere', async (t) => {
  const database = await freshDatabase();
  const { sql } = await connectTables(t, database);
  const start = () => startGateway(t, { sessions: 6, cluster: clusterOn(database) });
  const gateways = [await start(), await start()];
  const owned = async () => (await sql`SELECT FROM session WHERE owner IS NOT NULL`).length;
  await until(async () => (await owned()) === 6, 'the sessions to be owned');

  await sql`UPDATE session SET owner = NULL`;
  await beatUntil(sql, async () => (await owned()) === 6, 'the sessions to be owned again');

  const [row] = await sql`
    DELETE FROM session WHERE place = (SELECT min(place) FROM session) RETURNING numero`;
  const isGone = async () => {
    const lists = await Promise.all(gateways.map(listOf));
    return lists.every((list) => list.length === 5 && !list.some(({ numero }) => numero === row?.numero));
  };
  await beatUntil(sql, isGone, 'the deleted one to be gone');
  // One that is moved to share evenly is nobody's meanwhile.
  await until(async () => (await owned()) === 5, 'the others to be owned');
});
