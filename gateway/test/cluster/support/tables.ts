import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../../test/support/scope.ts';
import { connectPostgres, type Database, type Sql } from '../../../src/ledger/database.ts';
import { migrate, VERSION } from '../../../src/ledger/database-schema.ts';
import { sharedPostgres } from './postgres.ts';

/** Creates a database with the gateways' tables, and returns its URL and a client that ends with the test. */
export async function startTables(scope: Scope): Promise<{ url: string; sql: Sql }> {
  const url = await (await sharedPostgres()).freshDatabase();
  const database = await connectTables(scope, url);
  await migrate(database);
  return { url, sql: database.sql };
}

/** Returns connections, as another gateway has. */
export async function connectTables(scope: Scope, url: string): Promise<Database> {
  const database = await connectPostgres(url, { max: 4, name: 'test' });
  scope.after(() => database.end());
  return database;
}

/** Registers a gateway; returns its id. */
export async function addNode(sql: Sql, lease = 15): Promise<string> {
  const id = randomUUID();
  await sql`INSERT INTO node (id, url, version, schema, lease) VALUES (${id}, 'http://127.0.0.1:1', 'test', ${VERSION}, ${lease})`;
  return id;
}
