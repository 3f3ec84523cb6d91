import { checkKey as checkDatabaseKey } from './cluster-row.ts';
import { connectPostgres, type Sql } from './database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { CREDENTIALS, type Row, type StoredSession, USED } from './driver.ts';
import { FolderError, folderError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { checkKey } from './open-store.ts';
import { hasStore, readStore } from './read-store.ts';
import { earlierSealer, type Sealer, sealerOf } from './sealer.ts';
import { inTransaction } from './sqlite-file.ts';
import { readVersion, VERSION } from './sqlite-schema.ts';
import { columnsOf, readList, rowOf } from './tables.ts';

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
      const read = db.prepare("SELECT type, id, value FROM key WHERE session = ? AND type = ? AND id = ''");
      return readList(db).map((session) => {
        const rows = [CREDENTIALS, USED].flatMap(({ type }) => read.all(session.id, type).map(rowOf));
        return describe(session, rows, () => sealerOf(cipher, session.numero, session.secret));
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
  return readStore(folder, (db) => {
    const rows = db.prepare('SELECT numero FROM session WHERE NOT leaving').all();
    return rows.map((row) => String(columnsOf(row).numero));
  });
}

interface ListedRow extends StoredSession {
  readonly secret: string | null;
  readonly keys: readonly Row[];
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
      SELECT numero, leaving, to_jsonb(session) ->> 'secret' AS secret, ARRAY(
        SELECT jsonb_build_object('type', type, 'id', key.id, 'value', value) FROM key
        WHERE key.session = session.id AND key.id = '' AND type IN (${CREDENTIALS.type}, ${USED.type})
      ) AS keys FROM session ORDER BY place`;
    return rows.map(({ secret, keys, ...session }) =>
      describe(session, keys, () =>
        secret === null ? earlierSealer(cipher, session.numero) : sealerOf(cipher, session.numero, secret),
      ),
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
 * @param sealer may throw if the secret cannot be decrypted
 */
function describe(
  { numero, leaving }: StoredSession,
  keys: readonly Row[],
  sealer: () => Sealer,
): ListedSession {
  try {
    const values = new Map(keys.map((row) => [row.type, sealer().open('key', row).value]));
    const used = values.get(USED.type);
    const phone = phoneOf(values.get(CREDENTIALS.type));
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
