import { randomUUID } from 'node:crypto';
import { type Cipher, cipherOf, PLAIN } from '../../../src/store/cipher.ts';
import { clusterRow } from '../../../src/store/postgres/cluster-row.ts';
import { connectPostgres, type Database, type Sql } from '../../../src/store/postgres/database.ts';
import type { Membership } from '../../../src/store/postgres/membership.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { PostgresStore } from '../../../src/store/postgres/postgres-store.ts';

/** Connects to a database, with its tables. */
export async function connectSessions(url: string, cipher: Cipher = PLAIN): Promise<Database> {
  const database = await connectPostgres(url, { max: 3, name: 'test' });
  await migrate(database);
  await clusterRow(database, 'whatsapp', cipher);
  return database;
}

/** Makes this process a member, as if no other were left, and gives it all sessions. */
export async function joinAlone({ sql }: Pick<Database, 'sql'>): Promise<Membership> {
  const id = randomUUID();
  await sql`DELETE FROM node`;
  await sql`INSERT INTO node (id, url, version, lease) VALUES (${id}, 'http://127.0.0.1:1', '1', 15)`;
  await sql`UPDATE session SET owner = ${id}`;
  return { sql, id, cipher: cipherOf(Buffer.alloc(32, 1)) };
}

/** Opens the store of such a process; a sentence for the operator fails. */
export async function openPostgresStore(
  member: Membership,
  cipher: Cipher = PLAIN,
  lost: (numero: string) => void = () => {},
): Promise<PostgresStore> {
  const print = (sentence: string) => {
    throw new Error(sentence);
  };
  const store = new PostgresStore(() => member, cipher, print, lost);
  const rows = await member.sql<{ numero: string; leaving: boolean; place: string }>`
    SELECT numero, leaving, place FROM session WHERE owner = ${member.id} ORDER BY place`;
  await store.take(rows.map(({ place, ...row }) => ({ ...row, place: Number(place) })));
  return store;
}

/** Returns every row of every table with sessions. */
export async function dumpOf(sql: Sql): Promise<string> {
  const tables = [sql`SELECT * FROM session`, sql`SELECT * FROM key`, sql`SELECT * FROM archive`];
  return JSON.stringify(await Promise.all(tables));
}
