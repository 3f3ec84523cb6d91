import { randomBytes } from 'node:crypto';
import { numeroKey } from '../numbers.ts';
import { type Cipher, cipherOf, PLAIN, reseal } from './cipher.ts';
import type { Database, Sql } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { UNUSED } from './database-schema.ts';
import { keyProblem } from './key-file.ts';
import {
  type Row,
  resealed,
  type StoredRows,
  type StoredSession,
  type Told,
  toldPlace,
} from './row.ts';
import { CHANNEL } from './session-rows.ts';

/** The settings that all gateways on one database share. */
interface StoredRow {
  readonly engine: string;
  readonly secret: string;
  /** The id of the key that encrypts all values; null if they are not encrypted. */
  readonly cipher: string | null;
}

/**
 * Agrees with the gateways on this database on the settings that they share; the first gateway sets them. If there is a
 * key and no gateway runs, it encrypts values that are not encrypted. Rejects with a {@link DatabaseError} if this
 * gateway's settings differ, or with PostgreSQL's error.
 *
 * @returns the cipher of their secret, which seals notices and calls
 */
export function agree(database: Database, engine: string, cipher: Cipher): Promise<Cipher> {
  return database.begin((tx) => agreeIn(tx, engine, cipher));
}

/** Like {@link agree}, as a part of a transaction. */
export async function agreeIn(tx: Sql, engine: string, cipher: Cipher): Promise<Cipher> {
  await tx`
    INSERT INTO cluster (engine, secret, cipher)
    VALUES (${engine}, ${newClusterSecret()}, ${cipher.id})
    ON CONFLICT DO NOTHING`;
  const row = await usedRow(tx);
  if (row.engine !== engine) {
    throw new DatabaseError(
      `The sessions in the database are of the engine ${row.engine}: start with --engine ${row.engine}, or choose ` +
        'another database with --database.',
    );
  }
  if (row.cipher === null && cipher.id !== null) {
    await checkStopped(
      tx,
      'The database is not encrypted, and gateways are running on it: stop all of them first, or leave --key-file out.',
    );
    await changeCipher(tx, PLAIN, cipher);
  } else checkKey(row.cipher, cipher.id);
  return cipherOfSecret(row.secret);
}

/** Returns the cipher of the current secret. Rejects with PostgreSQL's error. */
export async function readSecretCipher(sql: Sql): Promise<Cipher> {
  const [row] = await sql<{ secret: string }>`SELECT secret FROM cluster`;
  if (!row) throw new DatabaseError(UNUSED);
  return cipherOfSecret(row.secret);
}

/**
 * Makes a new secret.
 *
 * @param tell returns the notice for all gateways in the same transaction, sealed with the old secret
 */
export async function changeSecret(database: Database, tell: (old: Cipher) => string): Promise<void> {
  await database.begin(async (tx) => {
    const row = await usedRow(tx);
    await tx`UPDATE cluster SET secret = ${newClusterSecret()}`;
    await tx`SELECT pg_notify(${CHANNEL}, ${tell(cipherOfSecret(row.secret))})`;
  });
}

export const OPEN_TO_ALL =
  'Every role of the database server may connect to this database, and disturb the gateways by NOTIFY: run ' +
  'REVOKE CONNECT ON DATABASE … FROM PUBLIC, as docs/cluster.md says.';

/** Whether every role of the server may connect to this database, as by default, and so listen and notify. */
export async function isOpenToAll(sql: Sql): Promise<boolean> {
  // No entry is the default; 0 is PUBLIC (https://www.postgresql.org/docs/current/ddl-priv.html).
  const rows = await sql`
    SELECT 1 FROM pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
    WHERE datname = current_database() AND grantee = 0 AND privilege_type = 'CONNECT'`;
  return rows.length > 0;
}

/**
 * Returns the row, and keeps others from changing it. Rejects with a {@link DatabaseError} if no gateway has used the
 * database.
 */
export async function usedRow(tx: Sql): Promise<StoredRow> {
  const [row] = await tx<StoredRow>`SELECT engine, secret, cipher FROM cluster FOR UPDATE`;
  if (!row) throw new DatabaseError(UNUSED);
  return row;
}

/** Throws a {@link DatabaseError} if the values are not encrypted with this key. */
export function checkKey(id: string | null, given: string | null): void {
  const problem = keyProblem('The database', id, given);
  if (problem !== undefined) throw new DatabaseError(problem);
}

/** For {@link checkStopped}. */
export const RUNNING = 'Gateways are running on the database: stop all of them first.';

/**
 * Makes sure that no gateway runs, and that a suspended one can no longer write. Both times are the database's. Throws
 * a {@link DatabaseError} with the sentence otherwise.
 */
export async function checkStopped(tx: Sql, sentence: string): Promise<void> {
  await tx`LOCK TABLE node IN SHARE ROW EXCLUSIVE MODE`;
  await tx`DELETE FROM node WHERE beaten < now() - (lease + 1) * interval '1 second'`;
  const [running] = await tx`SELECT 1 FROM node LIMIT 1`;
  if (running) throw new DatabaseError(sentence);
}

/** Yields all sessions with their rows, in their order. */
export async function* readSessions(sql: Sql): AsyncGenerator<StoredRows> {
  const sessions = await sql<StoredSession>`SELECT numero, leaving FROM session ORDER BY place`;
  for (const session of sessions) {
    const id = numeroKey(session.numero);
    yield {
      ...session,
      key: await sql<Row>`SELECT type, id, value FROM key WHERE session = ${id}`,
      archive: await sql<Row>`SELECT type, id, value FROM archive WHERE session = ${id}`,
    };
  }
}

/** Writes rows of a session, in place of those that exist. */
export async function writeRows(tx: Sql, { numero, key, archive }: StoredRows): Promise<void> {
  const session = numeroKey(numero);
  await tx`
    WITH keys AS (
      INSERT INTO key (session, type, id, value)
      SELECT ${session}, type, id, value
      FROM json_to_recordset(${JSON.stringify(key)}::text::json) AS row (type text, id text, value text)
      ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value
    )
    INSERT INTO archive (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${JSON.stringify(archive)}::text::json) AS row (type text, id text, value text)
    ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value`;
}

/**
 * Seals all values with another cipher, while no gateway runs. Throws a `DecryptionError` as well.
 *
 * @returns the number of sessions
 */
export async function changeCipher(tx: Sql, from: Cipher, to: Cipher): Promise<number> {
  let sessions = 0;
  for await (const session of readSessions(tx)) {
    await writeRows(tx, resealed(from, to, session));
    sessions += 1;
  }
  for (const { channel, text } of await tx<Told & { channel: string }>`SELECT channel, text FROM told`) {
    await tx`UPDATE told SET text = ${reseal(from, to, text, toldPlace(channel))} WHERE channel = ${channel}`;
  }
  await tx`UPDATE cluster SET cipher = ${to.id}`;
  return sessions;
}

function newClusterSecret(): string {
  return randomBytes(32).toString('hex');
}

function cipherOfSecret(secret: string): Cipher {
  return cipherOf(Buffer.from(secret, 'hex'));
}
