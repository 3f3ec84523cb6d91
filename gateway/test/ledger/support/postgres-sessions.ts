import { randomUUID } from 'node:crypto';
import { type Cipher, PLAIN } from '../../../src/ledger/cipher.ts';
import { agree } from '../../../src/ledger/cluster-row.ts';
import { connectPostgres, type Database, type Sql } from '../../../src/ledger/database.ts';
import { prepareTables } from '../../../src/ledger/database-schema.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { Postgres } from '../../../src/ledger/postgres.ts';
import type { TakenSession } from '../../../src/ledger/row.ts';
import type { Membership } from '../../../src/ledger/session-rows.ts';
import { memberOf } from '../../cluster/support/member.ts';

/** Connects to a database, with its tables. */
export async function connectSessions(url: string, cipher: Cipher = PLAIN): Promise<Database> {
  const database = await connectPostgres(url, { max: 3, name: 'test' });
  await prepareTables(database);
  await agree(database, 'whatsapp', cipher);
  return database;
}

/** Makes this process a member, as if no other were left, and gives it all sessions. */
export async function joinAlone({ sql }: Pick<Database, 'sql'>): Promise<Membership> {
  const id = randomUUID();
  await sql`DELETE FROM node`;
  await sql`INSERT INTO node (id, url, version, lease) VALUES (${id}, 'http://127.0.0.1:1', '1', 15)`;
  await sql`UPDATE session SET owner = ${id}`;
  return memberOf(sql, id);
}

/** Opens the store of such a process; a sentence for the operator fails. */
export async function openShared(
  member: Membership,
  cipher: Cipher = PLAIN,
  lost: (numero: string) => void = () => {},
): Promise<Ledger> {
  const print = (sentence: string) => {
    throw new Error(sentence);
  };
  const store = new Ledger(new Postgres(() => member), { cipher, print, lost });
  await store.take(await claimAll(member));
  return store;
}

/** Claims the sessions of such a process, the oldest first. */
export async function claimAll({ sql, id }: Membership): Promise<TakenSession[]> {
  await sql`UPDATE session SET epoch = nextval('session_epoch') WHERE owner = ${id}`;
  return sql<TakenSession>`SELECT numero, leaving, epoch FROM session WHERE owner = ${id} ORDER BY place`;
}

/** Returns every row of every table with sessions. */
export async function dumpOf(sql: Sql): Promise<string> {
  const tables = [sql`SELECT * FROM session`, sql`SELECT * FROM key`, sql`SELECT * FROM archive`];
  return JSON.stringify(await Promise.all(tables));
}
