import { randomBytes } from 'node:crypto';
import { numeroKey } from '../numbers.ts';
import { type Cipher, cipherOf, PLAIN, reseal } from './cipher.ts';
import type { Database, Sql } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { UNUSED } from './database-schema.ts';
import { keyProblem } from './key-file.ts';
import { type Row, resealed, type StoredRows, type StoredSession, type Told, toldPlace } from './row.ts';
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

/** Returns all sessions with their rows, in their order. */
export async function readSessions(sql: Sql): Promise<StoredRows[]> {
  const found: StoredRows[] = [];
  for (const session of await sql<StoredSession>`SELECT numero, leaving FROM session ORDER BY place`) {
    const id = numeroKey(session.numero);
    const key = await sql<Row>`SELECT type, id, value FROM key WHERE session = ${id}`;
    const archive = await sql<Row>`SELECT type, id, value FROM archive WHERE session = ${id}`;
    found.push({ ...session, key, archive });
  }
  return found;
}

/** Adds the rows of a session that has none. */
export async function writeRows(tx: Sql, { numero, key, archive }: StoredRows): Promise<void> {
  const session = numeroKey(numero);
  await tx`
    WITH keys AS (
      INSERT INTO key (session, type, id, value)
      SELECT ${session}, type, id, value
      FROM json_to_recordset(${JSON.stringify(key)}::text::json) AS row (type text, id text, value text)
    )
    INSERT INTO archive (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${JSON.stringify(archive)}::text::json) AS row (type text, id text, value text)`;
}

/**
 * Seals all values with another cipher, while no gateway runs. Throws a `DecryptionError` as well. The tables get new
 * files: an update would leave the old values in dead rows.
 *
 * @returns the number of sessions
 */
export async function changeCipher(tx: Sql, from: Cipher, to: Cipher): Promise<number> {
  const sessions = (await readSessions(tx)).map((session) => resealed(from, to, session));
  const told = await tx<Told & { channel: string }>`SELECT channel, text, version FROM told`;
  await tx`TRUNCATE key, archive, told`;
  for (const session of sessions) await writeRows(tx, session);
  for (const { channel, text, version } of told) {
    const sealed = reseal(from, to, text, toldPlace(channel));
    await tx`INSERT INTO told (channel, text, version) VALUES (${channel}, ${sealed}, ${version})`;
  }
  await tx`UPDATE cluster SET cipher = ${to.id}`;
  return sessions.length;
}

function newClusterSecret(): string {
  return randomBytes(32).toString('hex');
}

function cipherOfSecret(secret: string): Cipher {
  return cipherOf(Buffer.from(secret, 'hex'));
}
