import type { Cipher } from './cipher.ts';
import { checkKey as checkDatabaseKey } from './cluster-row.ts';
import { type DatabaseError, withDatabase } from './database-error.ts';
import { checkUsed } from './database-schema.ts';
import { type FolderError, inFolder } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { CREDENTIALS, openRow, type Row, type StoredSession, USED } from './row.ts';
import {
  checkKey,
  columnsOf,
  hasStore,
  inTransaction,
  readList,
  readRows,
  readStore,
} from './sqlite-store.ts';

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
      checkKey(db, cipher, folder);
      const rows = "key WHERE session = ? AND type IN (?, ?) AND id = ''";
      return readList(db).map((session) =>
        describe(session, readRows(db, rows, session.id, CREDENTIALS.type, USED.type), cipher),
      );
    }),
  );
}

/**
 * Returns the numeros of a running or stopped gateway that are not being deleted; none without a store. Rejects with a
 * {@link FolderError}.
 */
export async function numerosIn(folder: string): Promise<string[]> {
  if (!(await inFolder(folder, () => hasStore(folder)))) return [];
  return readStore(folder, (db) => readList(db).flatMap(({ numero, leaving }) => (leaving ? [] : [numero])));
}

/**
 * Returns the sessions of a database, the oldest first. Rejects with a {@link DatabaseError}, or with a `FolderError`
 * for the key file.
 *
 * @param keyFile file of the key, if the database is encrypted
 */
export function listDatabase(url: string, keyFile?: string): Promise<ListedSession[]> {
  return withDatabase(url, async ({ sql }) => {
    const cipher = cipherOfFile(keyFile);
    await checkUsed(sql);
    const [row] = await sql<{ cipher: string | null }>`SELECT cipher FROM cluster`;
    if (row) checkDatabaseKey(row.cipher, cipher.id);
    const sessions = await sql<StoredSession & { keys: readonly Row[] }>`
      SELECT numero, leaving, ARRAY(
        SELECT jsonb_build_object('type', type, 'id', key.id, 'value', value) FROM key
        WHERE key.session = session.id AND key.id = '' AND type IN (${CREDENTIALS.type}, ${USED.type})
      ) AS keys FROM session ORDER BY place`;
    return sessions.map((session) => describe(session, session.keys, cipher));
  });
}

/** Describes a session by two of its keys. */
function describe({ numero, leaving }: StoredSession, keys: readonly Row[], cipher: Cipher): ListedSession {
  try {
    const values = new Map(keys.map((row) => [row.type, openRow(cipher, numero, row)]));
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
