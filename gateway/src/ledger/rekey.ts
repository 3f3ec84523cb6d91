import type { Cipher } from './cipher.ts';
import { changeCipher, checkKey, checkStopped, readClusterRow } from './cluster-row.ts';
import { connectPostgres } from './database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { migrate } from './database-schema.ts';
import { stoppedError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { openStore } from './open-store.ts';
import { checkStore } from './read-store.ts';
import { readList } from './tables.ts';

/** The result of a change of keys. */
export interface Rekeyed {
  readonly sessions: number;
  /** The id of the new key. */
  readonly key: string;
  /** A sentence for the operator if the old secrets could not be removed from the journal yet. */
  readonly unfinished?: string | undefined;
}

/**
 * Wraps the secrets in the store of a stopped gateway with a new key, all or none; no old ones stay in the files. If it
 * rejects, with a `FolderError`, it has changed no session.
 *
 * @param oldKeyFile file of the present key; undefined if the store is not encrypted
 */
export async function rekey(
  folder: string,
  oldKeyFile: string | undefined,
  newKeyFile: string,
): Promise<Rekeyed> {
  const from = cipherOfFile(oldKeyFile);
  const to = cipherOfFile(newKeyFile);
  checkStore(folder);
  try {
    const { db, unfinished, close } = await openStore(folder, from, to);
    const sessions = readList(db).length;
    close();
    return { sessions, key: String(to.id), unfinished };
  } catch (error) {
    throw stoppedError(folder, error);
  }
}

/** Like {@link rekey}, for the database of stopped gateways. Rejects with a {@link DatabaseError} as well. */
export async function rekeyDatabase(
  url: string,
  oldKeyFile: string | undefined,
  newKeyFile: string,
): Promise<Rekeyed> {
  const from: Cipher = cipherOfFile(oldKeyFile);
  const to = cipherOfFile(newKeyFile);
  const database = await connectPostgres(url, { max: 1, name: 'whatsapp-operadores command' });
  try {
    await migrate(database);
    const sessions = await database.begin(async (tx) => {
      await checkStopped(tx, 'Gateways are running on the database: stop all of them first.');
      const row = await readClusterRow(tx);
      if (!row) throw new DatabaseError('No gateway has used this database yet: start one with --database.');
      checkKey(row.cipher, from.id);
      return changeCipher(tx, from, to);
    });
    // Leaves no rows with the old secrets.
    await database.sql`VACUUM FULL session`;
    return { sessions, key: String(to.id) };
  } catch (error) {
    throw databaseError(url, error);
  } finally {
    await database.end();
  }
}
