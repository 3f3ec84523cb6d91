import type { Database } from 'libsql';
import { type Cipher, PLAIN } from './cipher.ts';
import { FolderError, folderError, prepareFolder } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { FolderLock } from './lock.ts';
import { reasonOf } from './operations.ts';
import { closeDatabase, configure, connect, emptyJournal, inTransaction, waiting } from './sqlite-file.ts';
import { migrate, readVersion } from './sqlite-schema.ts';
import { changeCipher, readKeyId, readList, type SessionRow } from './tables.ts';

/** The store of one process that may write to it. */
export interface OpenStore {
  readonly db: Database;
  readonly cipher: Cipher;
  /** The sessions at the start. */
  readonly rows: readonly SessionRow[];
  /** A sentence for the operator if erased data could not be removed from the journal; the next deletion removes it. */
  readonly unfinished: string | undefined;
  close(): void;
}

/**
 * Opens the store in `folder` for this process alone; converts earlier versions, and creates a missing one. A store
 * without encryption is encrypted if there is a key. If it rejects, with a `FolderError`, it has changed nothing.
 */
export async function openStore(folder: string, keyFile?: string): Promise<OpenStore> {
  const cipher = cipherOfFile(keyFile);
  try {
    return await openWith(folder, (db) => {
      const isPlain = readKeyId(db) === null;
      if (isPlain && cipher !== PLAIN) inTransaction(db, () => changeCipher(db, PLAIN, cipher));
      checkKey(db, cipher, folder);
      return cipher;
    });
  } catch (error) {
    throw folderError(folder, error);
  }
}

/**
 * Like {@link openStore}, but rejects with SQLite's errors as well.
 *
 * @param settle decides which cipher the store has, and changes it if necessary
 */
export async function openWith(folder: string, settle: (db: Database) => Cipher): Promise<OpenStore> {
  const file = prepareFolder(folder);
  const lock = await FolderLock.take(folder);
  try {
    const db = await connect(file);
    try {
      return waiting(db, () => {
        readVersion(db);
        configure(db);
        migrate(db);
        const cipher = settle(db);
        return { db, cipher, rows: readList(db), unfinished: finishErasing(db), close };
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
 * Empties the journal: the previous process may have ended between a deletion and this. Values encrypted just now are
 * in the database only then. Returns a sentence if it fails.
 */
function finishErasing(db: Database): string | undefined {
  try {
    if (emptyJournal(db)) return undefined;
    return 'Erased data may still be in the journal on the disk (SQLITE_BUSY).';
  } catch (error) {
    return `Erased data may still be in the journal on the disk (${reasonOf(error)}).`;
  }
}
