import assert from 'node:assert/strict';
import { STATES } from '../../../../src/wire.ts';
import type { Scope } from '../../../../test/support/scope.ts';
import { until } from '../../../../test/support/until.ts';
import { Writer } from '../../../src/cluster/writer.ts';
import { PLAIN } from '../../../src/ledger/cipher.ts';
import { listen, type Sql } from '../../../src/ledger/database.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { Postgres } from '../../../src/ledger/postgres.ts';
import { CREDENTIALS, USED } from '../../../src/ledger/row.ts';
import { CHANNEL, claim, type Membership, release } from '../../../src/ledger/session-rows.ts';
import { NotOwnerError } from '../../../src/ledger/store-error.ts';
import { createLogger } from '../../../src/log.ts';
import { memberOf } from '../support/member.ts';
import { addNode, connectTables, startTables } from '../support/tables.ts';
import type { Proof } from './proof.ts';

const NUMERO = '5215550001111';

/** A gateway that lost a session writes all that it can: nothing lands, and nobody hears of it. */
export const fenced: Proof = async (scope) => {
  const { url, sql } = await startTables(scope);
  const [me, other] = [await addNode(sql), await addNode(sql)];
  const member = memberOf((await connectTables(scope, url)).sql, me);
  await sql`INSERT INTO session (id, numero, owner, state, waiting) VALUES (${NUMERO}, ${NUMERO}, ${me}, 'CONNECTED', false)`;
  const owned = await storeOf(member);
  await owned.store.keys(NUMERO).write([{ ...CREDENTIALS, value: 'mine' }]);
  const heard: string[] = [];
  const listener = await listen(
    url,
    'test',
    CHANNEL,
    (text) => heard.push(text),
    () => {},
  );
  scope.after(() => listener.end());

  const writes: Record<string, (store: Ledger) => Promise<unknown>> = {
    credentials: (store) => store.keys(NUMERO).write([{ ...CREDENTIALS, value: 'late' }]),
    keys: (store) => store.keys(NUMERO).write([{ type: 'session', id: '1', value: 'late' }]),
    'the deletion of a key': (store) => store.keys(NUMERO).write([{ ...CREDENTIALS, value: undefined }]),
    'the time of a send': (store) => store.keys(NUMERO).write([{ ...USED, value: '1' }]),
    'a deletion': (store) => store.leave(NUMERO),
    'an erasure': (store) => store.erase(NUMERO),
    'a removal': (store) => store.remove(NUMERO),
    'a login': async (store) => assert.equal(await store.confirm(NUMERO), false),
  };
  for (const [what, write] of Object.entries(writes)) {
    await sql`UPDATE session SET owner = ${me}`;
    const { store, lost } = await storeOf(member);
    await sql`UPDATE session SET owner = ${other}`;
    const before = await everything(sql);
    await write(store).catch((error: unknown) => assert.ok(error instanceof NotOwnerError, what));
    assert.deepEqual(await everything(sql), before, what);
    assert.deepEqual(lost, [NUMERO], what);
  }

  const before = await everything(sql);
  const lost: string[] = [];
  const writer = new Writer(
    () => member,
    (numero) => lost.push(numero),
    () => assert.fail(),
    createLogger('silent'),
  );
  writer.take(NUMERO, { epoch: '0', place: 1, version: 0 });
  const shown = { numero: NUMERO, state: STATES.disconnected, waiting: false };
  writer.publish({ numero: NUMERO, key: NUMERO, shown }, { event: 'disconnected', numero: NUMERO });
  await writer.written();
  await release(member, NUMERO, '0', 'released');
  assert.deepEqual(await claim(member, 0, [NUMERO]), []);
  assert.deepEqual(lost, [NUMERO]);
  assert.deepEqual(await everything(sql), before);

  await meetsTakeover(scope, { url, sql, member, other });
  // All that was said before this is heard by now.
  await sql`SELECT pg_notify(${CHANNEL}, ${'end'})`;
  await until(() => heard.includes('end'), 'the end of the notifications');
  assert.deepEqual(heard, ['end']);
  return `${Object.keys(writes).length + 4} writes of a wrong owner, none landed, none was heard`;
};

/** A write that begins before a takeover is committed, and ends after it. */
async function meetsTakeover(
  scope: Scope,
  { url, sql, member, other }: { url: string; sql: Sql; member: Membership; other: string },
): Promise<void> {
  await sql`UPDATE session SET owner = ${member.id}`;
  const { store } = await storeOf(member);
  const before = await sql`SELECT * FROM key`;
  const taker = await connectTables(scope, url);
  let late: Promise<unknown> = Promise.resolve();
  await taker.begin(async (tx) => {
    await tx`UPDATE session SET owner = ${other}`;
    late = store
      .keys(NUMERO)
      .write([{ ...CREDENTIALS, value: 'late' }])
      .catch((error: unknown) => error);
    const waits = () => sql`
      SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => (await waits()).length === 1, 'the write to wait');
  });
  assert.ok((await late) instanceof NotOwnerError);
  assert.deepEqual(await sql`SELECT * FROM key`, before);
}

async function storeOf(member: Membership): Promise<{ store: Ledger; lost: string[] }> {
  const lost: string[] = [];
  const store = new Ledger(new Postgres(() => member), {
    cipher: PLAIN,
    print: () => {},
    lost: (numero) => lost.push(numero),
  });
  await store.take([{ numero: NUMERO, leaving: false, epoch: '0' }]);
  return { store, lost };
}

async function everything(sql: Sql): Promise<unknown> {
  return [[...(await sql`SELECT * FROM session`)], [...(await sql`SELECT * FROM key ORDER BY type, id`)]];
}
