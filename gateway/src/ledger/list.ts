import { checkKey as checkDatabaseKey } from './cluster-row.ts';
import { connectPostgres, type Sql } from './database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { CREDENTIALS, type StoredSession, USED } from './driver.ts';
import { FolderError, folderError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { checkKey } from './open-store.ts';
import { hasStore, readStore } from './read-store.ts';
import { inTransaction } from './sqlite-file.ts';
import { readVersion, VERSION } from './sqlite-schema.ts';
import { columnsOf, KeyTable, readList } from './tables.ts';

/** A session in the store. */
export interface ListedSession {
  readonly numero: string;
  /** The digits of the linked phone; null while none is linked, undefined if the credentials cannot be read. */
  readonly phone: string | null | undefined;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
  /** When it was last used to send; undefined for never. */
  readonly used: Date | undefined;
}

/**
 * Returns the sessions of a running or stopped gateway, in the order in which they were added. Rejects with a
 * {@link FolderError}.
 *
 * @param keyFile file of the key, if the store is encrypted
 */
export async function list(folder: string, keyFile?: string): Promise<ListedSession[]> {
  const cipher = cipherOfFile(keyFile);
  return readStore(folder, (db) =>
    inTransaction(db, () => {
      if (readVersion(db) < VERSION) {
        throw new FolderError(
          `The store in '${folder}' is of an earlier version of the gateway: start this one once, which converts it.`,
        );
      }
      checkKey(db, cipher, folder);
      return readList(db).map((row) => {
        const table = new KeyTable(db, row, cipher);
        return describe(row, ({ type, id }) => table.get(type, id));
      });
    }),
  );
}

/**
 * Returns the numeros of a running or stopped gateway that are not being deleted; none without a store. Rejects with a
 * {@link FolderError}.
 */
export async function numerosIn(folder: string): Promise<string[]> {
  try {
    if (!hasStore(folder)) return [];
  } catch (error) {
    throw folderError(folder, error);
  }
  return readStore(folder, (db) => readList(db).flatMap(({ numero, leaving }) => (leaving ? [] : numero)));
}

interface ListedRow {
  readonly numero: string;
  readonly leaving: boolean;
  readonly creds: string | null;
  readonly used: string | null;
}

/**
 * Returns the sessions of a database, the oldest first. Rejects with a {@link DatabaseError}, or with a `FolderError`
 * for the key file.
 *
 * @param keyFile file of the key, if the database is encrypted
 */
export async function listDatabase(url: string, keyFile?: string): Promise<ListedSession[]> {
  const cipher = cipherOfFile(keyFile);
  const database = await connectPostgres(url, { max: 1, name: 'whatsapp-operadores command' });
  try {
    await checkCipher(database.sql, cipher.id);
    const rows = await database.sql<ListedRow>`
      SELECT numero, leaving, creds.value AS creds, used.value AS used FROM session
      LEFT JOIN key AS creds ON creds.session = session.id AND creds.type = ${CREDENTIALS.type} AND creds.id = ${CREDENTIALS.id}
      LEFT JOIN key AS used ON used.session = session.id AND used.type = ${USED.type} AND used.id = ${USED.id}
      ORDER BY place`;
    return rows.map((row) =>
      describe(row, (key) => {
        const sealed = key === CREDENTIALS ? row.creds : row.used;
        return sealed === null ? undefined : cipher.open(sealed, [row.numero, key.type, key.id]);
      }),
    );
  } catch (error) {
    throw databaseError(url, error);
  } finally {
    await database.end();
  }
}

async function checkCipher(sql: Sql, given: string | null): Promise<void> {
  const [tables] = await sql<{ exist: boolean }>`SELECT to_regclass('cluster') IS NOT NULL AS exist`;
  if (!tables?.exist) {
    throw new DatabaseError('No gateway has used this database yet: start one with --database.');
  }
  const [row] = await sql<{ cipher: string | null }>`SELECT cipher FROM cluster`;
  if (row) checkDatabaseKey(row.cipher, given);
}

/**
 * Describes a session by two of its keys.
 *
 * @param read returns the value of a key, or undefined; may throw if it cannot be decrypted
 */
function describe(
  { numero, leaving }: StoredSession,
  read: (key: typeof CREDENTIALS | typeof USED) => string | undefined,
): ListedSession {
  try {
    const used = read(USED);
    const phone = phoneOf(read(CREDENTIALS));
    return { numero, leaving, phone, used: used === undefined ? undefined : new Date(Number(used)) };
  } catch {
    return { numero, leaving, phone: undefined, used: undefined };
  }
}

/** Reads the digits at the start of the linked account's JID. Throws if the credentials are damaged. */
function phoneOf(creds: string | undefined): string | null {
  if (creds === undefined) return null;
  const { me } = columnsOf(JSON.parse(creds));
  return /^\d+/.exec(String(columnsOf(me).id))?.[0] ?? null;
}
