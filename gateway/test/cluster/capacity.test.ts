import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import type { Database } from '../../src/ledger/database.ts';
import { type Answer, call, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase, verbatim } from './support/postgres.ts';
import { beatNow, connectTables } from './support/tables.ts';

const MOST = 3;

/** Starts a gateway that owns {@link MOST} sessions at most, and another one that has room for none. */
async function start(t: Parameters<typeof startGateway>[0]) {
  const database = await freshDatabase();
  const withRoom = (maxSessions: number) =>
    startGateway(t, { sessions: 0, cluster: clusterOn(database, { maxSessions }) });
  const [full, other] = [await withRoom(0), await withRoom(MOST)];
  const tables = await connectTables(t, database);
  const owned = async () => (await tables.sql`SELECT 1 FROM session WHERE owner IS NOT NULL`).length;
  return { full, other, tables, owned };
}

test('sessions that are created at the same time, here and through another gateway, leave no gateway with too many', async (t) => {
  const { full, other, owned } = await start(t);
  const starts = Array.from({ length: 10 }, (_, place) =>
    call(place % 2 ? full : other, `/api/session/levanta/3460000000${place}`),
  );
  const statuses = (await Promise.all(starts)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, MOST, statuses.join());
  assert.equal(await owned(), MOST);
});

/** Has statements on sessions wait while `during` runs, those that the condition of a trigger names. */
async function holding(
  { begin, sql }: Database,
  when: string,
  during: (isHeld: () => Promise<boolean>) => Promise<void>,
): Promise<void> {
  await sql(
    verbatim(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_advisory_xact_lock(1); RETURN new; END $$;
      CREATE TRIGGER wait BEFORE ${when} EXECUTE FUNCTION wait()`),
  );
  await begin(async (own) => {
    await own`SELECT pg_advisory_xact_lock(1)`;
    await during(
      async () => (await sql`SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory'`).length > 0,
    );
  });
}

/** Adds as many sessions that nobody owns as one gateway may have, which gateways find with their next beat. */
async function addFree({ sql }: Database): Promise<void> {
  await sql`
    INSERT INTO session (id, numero, state, waiting)
    SELECT numero, numero, 'DESCONECTADO', false FROM generate_series(1, ${MOST}) AS numero`;
  await beatNow(sql);
}

test('a session that is created while its gateway takes others finds no room', async (t) => {
  const { other, tables, owned } = await start(t);
  let created: Promise<Answer> | undefined;
  await holding(tables, 'UPDATE OF owner ON session FOR EACH ROW', async (isHeld) => {
    await addFree(tables);
    await until(isHeld, 'the gateway to take them');
    created = call(other, `/api/session/levanta/${NUMERO}`);
    // Once a later call has looked for an owner, so has this one, and waits: nothing shows that.
    assert.equal((await call(other, '/api/session/99', { method: 'DELETE' })).status, 404);
  });
  assert.equal((await created)?.status, 503);
  assert.equal(await owned(), MOST);
});

test('a gateway takes no more than it has room for while it creates a session', async (t) => {
  const { other, tables, owned } = await start(t);
  let created: Promise<Answer> | undefined;
  await holding(tables, 'INSERT ON session FOR EACH ROW WHEN (new.owner IS NOT NULL)', async (isHeld) => {
    created = call(other, `/api/session/levanta/${NUMERO}`);
    await until(isHeld, 'the gateway to create it');
    await addFree(tables);
    await until(async () => (await owned()) >= MOST - 1, 'the gateway to take others');
  });
  assert.equal((await created)?.status, 200);
  assert.equal(await owned(), MOST);
});
