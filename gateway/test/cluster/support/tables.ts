import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../../test/support/scope.ts';
import { until } from '../../../../test/support/until.ts';
import { sealNotice } from '../../../src/cluster/notices.ts';
import { readSecretCipher } from '../../../src/ledger/cluster-row.ts';
import { connectPostgres, type Database, type Sql } from '../../../src/ledger/database.ts';
import { prepareTables } from '../../../src/ledger/database-schema.ts';
import { notify } from '../../../src/ledger/session-rows.ts';
import { LEASE, SHORT_LEASE } from './lease.ts';
import { freshDatabase } from './postgres.ts';

/** Creates a database with the gateways' tables, and returns its URL and a client that ends with the test. */
export async function startTables(scope: Scope): Promise<{ url: string; sql: Sql }> {
  const url = await freshDatabase();
  const database = await connectTables(scope, url);
  await prepareTables(database);
  return { url, sql: database.sql };
}

/** Returns connections, as another gateway has. */
export async function connectTables(scope: Scope, url: string): Promise<Database> {
  const database = await connectPostgres(url, { max: 4, name: 'test' });
  scope.after(() => database.end());
  return database;
}

/** Registers a gateway; returns its id. */
export async function addNode(sql: Sql, lease = LEASE): Promise<string> {
  const id = randomUUID();
  await sql`INSERT INTO node (id, url, version, lease) VALUES (${id}, 'http://127.0.0.1:1', 'test', ${lease})`;
  return id;
}

/** Has every gateway beat now: by itself, each one beats only after a third of its lease. */
export async function beatNow(sql: Sql): Promise<void> {
  await notify(sql, sealNotice(await readSecretCipher(sql), { type: 'nodes' }));
}

/** Has every gateway beat until a condition is met: what a beat finds busy or locked, it leaves to the next one. */
export function beatUntil<T>(
  sql: Sql,
  condition: () => T | Promise<T>,
  expectation: string,
  timeoutMs?: number,
): Promise<NonNullable<T>> {
  const beaten = async () => {
    await beatNow(sql);
    return condition();
  };
  return until(beaten, expectation, timeoutMs);
}

/**
 * Has gateways bury a dead one, whose lease is made a short one. Those that live keep a long one: a machine that stands still
 * for longer than a short one would end theirs too.
 */
export async function bury(sql: Sql, id: string): Promise<void> {
  await sql`UPDATE node SET lease = ${SHORT_LEASE} WHERE id = ${id}`;
  await beatUntil(sql, async () => (await sql`SELECT FROM node WHERE id = ${id}`).length === 0, 'the burial');
}
