import type { Database } from 'libsql';
import { type Cipher, PLAIN } from './cipher.ts';
import { FolderError, prepareFolder } from './folder.ts';
import { FolderLock } from './lock.ts';
import { reasonOf } from './operations.ts';
import { closeDatabase, configure, connect, emptyJournal, inTransaction, waiting } from './sqlite-file.ts';
import { migrate, readKeyId } from './sqlite-schema.ts';
import { changeCipher } from './tables.ts';

/** The store of one process that may write to it. */
export interface OpenStore {
  readonly db: Database;
  readonly cipher: Cipher;
  /** A sentence for the operator if erased data could not be removed from the journal; the next deletion removes it. */
  readonly unfinished: string | undefined;
  close(): void;
}

/**
 * Opens the store in `folder` for this process alone; converts earlier versions, and creates a missing one. Rejects with
 * a {@link FolderError} or SQLite's error, and has then changed no session.
 *
 * @param given the cipher of the store; one without encryption is encrypted with it
 * @param to the cipher to change to, if `given` is that of the store
 */
export async function openStore(folder: string, given: Cipher, to?: Cipher): Promise<OpenStore> {
  const file = prepareFolder(folder);
  const lock = await FolderLock.take(folder);
  try {
    const db = await connect(file);
    try {
      return waiting(db, () => {
        const isFirst = to === undefined && readKeyId(db) === null;
        if (!isFirst) checkKey(db, given, folder);
        const [from, cipher] = [isFirst ? PLAIN : given, to ?? given];
        configure(db);
        migrate(db, from, cipher);
        if (readKeyId(db) !== cipher.id) inTransaction(db, () => changeCipher(db, from, cipher));
        return { db, cipher, unfinished: finishErasing(db), close };
      });
    } catch (error) {
      closeDatabase(db);
      throw error;
    }

    function close(): void {
      closeDatabase(db);
      lock.release();
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Throws a {@link FolderError} if the store is not encrypted with this key, or not encrypted at all. */
export function checkKey(db: Database, { id: given }: Cipher, folder: string): void {
  const id = readKeyId(db);
  if (id === given) return;
  if (id === null) throw new FolderError(`The store in '${folder}' is not encrypted: leave --key-file out.`);
  const difference = given === null ? '' : `, not ${given}`;
  throw new FolderError(
    `The store in '${folder}' is encrypted with the key ${id}${difference}: name the file of that key with --key-file.`,
  );
}

/**
 * Empties the journal: the previous process may have ended between a deletion and this. Secrets wrapped just now are in
 * the database only then. Returns a sentence if it fails.
 */
function finishErasing(db: Database): string | undefined {
  try {
    if (emptyJournal(db)) return undefined;
    return 'Erased data may still be in the journal on the disk (SQLITE_BUSY).';
  } catch (error) {
    return `Erased data may still be in the journal on the disk (${reasonOf(error)}).`;
  }
}
