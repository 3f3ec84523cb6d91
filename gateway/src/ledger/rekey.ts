import { stoppedError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { checkKey, openWith } from './open-store.ts';
import { checkStore } from './read-store.ts';
import { inTransaction } from './sqlite-file.ts';
import { changeCipher } from './tables.ts';

/** The result of a change of keys. */
export interface Rekeyed {
  readonly sessions: number;
  /** The id of the new key. */
  readonly key: string;
  /** A sentence for the operator if the old values could not be removed from the journal yet. */
  readonly unfinished: string | undefined;
}

/**
 * Encrypts the store of a stopped gateway with a new key, whole or not at all; no old values stay in the files. If it
 * rejects, with a `FolderError`, it has changed nothing.
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
    const store = await openWith(folder, (db) => {
      checkKey(db, from, folder);
      inTransaction(db, () => changeCipher(db, from, to));
      return to;
    });
    store.close();
    return { sessions: store.rows.length, key: String(to.id), unfinished: store.unfinished };
  } catch (error) {
    throw stoppedError(folder, error);
  }
}
