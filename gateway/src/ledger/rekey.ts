import { changeCipher, checkKey, checkStopped, RUNNING, usedRow } from './cluster-row.ts';
import { type DatabaseError, withDatabase } from './database-error.ts';
import { checkUsed } from './database-schema.ts';
import { cipherOfFile } from './key-file.ts';
import { checkStore, openStore } from './sqlite-store.ts';

/**
 * Encrypts the values in the store of a stopped gateway with a new key, all or none; no old ones stay in the files. If it
 * rejects, with a `FolderError`, it has changed none.
 *
 * @param oldKeyFile file of the present key; undefined if the store is not encrypted
 * @returns the number of sessions, and the id of the new key
 */
export async function rekey(folder: string, oldKeyFile: string | undefined, newKeyFile: string) {
  const from = cipherOfFile(oldKeyFile);
  const to = cipherOfFile(newKeyFile);
  checkStore(folder);
  const { sessions, close } = await openStore(folder, from, to);
  close();
  return { sessions: sessions.length, key: String(to.id) };
}

/** Like {@link rekey}, for the database of stopped gateways. Rejects with a {@link DatabaseError} as well. */
export function rekeyDatabase(url: string, oldKeyFile: string | undefined, newKeyFile: string) {
  return withDatabase(url, async ({ sql, begin }) => {
    const from = cipherOfFile(oldKeyFile);
    const to = cipherOfFile(newKeyFile);
    await checkUsed(sql);
    const sessions = await begin(async (tx) => {
      await checkStopped(tx, RUNNING);
      checkKey((await usedRow(tx)).cipher, from.id);
      return changeCipher(tx, from, to);
    });
    return { sessions, key: String(to.id) };
  });
}
