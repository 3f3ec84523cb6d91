import type { Report } from '../progress.ts';
import { changeCipher, checkKey, checkStopped, RUNNING, usedRow } from './cluster-row.ts';
import type { Sql } from './database.ts';
import { type DatabaseError, withDatabase } from './database-error.ts';
import { migrate } from './database-schema.ts';
import { stoppedError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { openStore } from './open-store.ts';
import { reasonOf } from './operations.ts';
import { checkStore } from './read-store.ts';
import { readList } from './tables.ts';

/** The result of a change of keys. */
export interface Rekeyed {
  readonly sessions: number;
  /** The id of the new key. */
  readonly key: string;
  /** A sentence for the operator if the old secrets could not be removed yet. */
  readonly unfinished: string | undefined;
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
  report?: Report,
): Promise<Rekeyed> {
  const from = cipherOfFile(oldKeyFile);
  const to = cipherOfFile(newKeyFile);
  checkStore(folder);
  try {
    const { db, unfinished, close } = await openStore(folder, from, to, report);
    const sessions = readList(db).length;
    close();
    return { sessions, key: String(to.id), unfinished };
  } catch (error) {
    throw stoppedError(folder, error);
  }
}

/** Like {@link rekey}, for the database of stopped gateways. Rejects with a {@link DatabaseError} as well. */
export function rekeyDatabase(
  url: string,
  oldKeyFile: string | undefined,
  newKeyFile: string,
  report?: Report,
): Promise<Rekeyed> {
  return withDatabase(url, async (database) => {
    const from = cipherOfFile(oldKeyFile);
    const to = cipherOfFile(newKeyFile);
    await migrate(database);
    const sessions = await database.begin(async (tx) => {
      await checkStopped(tx, RUNNING);
      checkKey((await usedRow(tx)).cipher, from.id);
      return changeCipher(tx, from, to, report);
    });
    return { sessions, key: String(to.id), unfinished: await removeOldSecrets(database.sql) };
  });
}

/** Removes the rows with the old secrets. Resolves with a sentence if that fails, since the key is changed already. */
async function removeOldSecrets(sql: Sql): Promise<string | undefined> {
  try {
    await sql`VACUUM FULL session, told`;
    return undefined;
  } catch (error) {
    return `Old secrets may still be in the database (${reasonOf(error)}): run VACUUM FULL session, told there.`;
  }
}
