import type { Database } from 'libsql';
import { type Cipher, PLAIN } from './cipher.ts';
import { closeDatabase, configure, connect, emptyJournal, inTransaction, waiting } from './database.ts';
import { reasonOf } from './disk.ts';
import { FolderError, folderError, prepareFolder } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { FolderLock } from './lock.ts';
import { migrate, readVersion } from './migrations.ts';
import { changeCipher, readKeyId, readList, type SessionRow } from './tables.ts';

/** The store of one process that may write to it. */
export interface OpenStore {
  readonly db: Database;
  readonly cipher: Cipher;
  /** The sessions at the start. */
  readonly rows: readonly SessionRow[];
  /** A sentence for the operator if erased data could not be removed from the journal; it will be with the next deletion. */
  readonly unfinished: string | undefined;
  close(): void;
}

/**
 * Opens the store in `folder` for this process alone, of any earlier version, creating what is missing. A store without
 * encryption is encrypted if there is a key. Rejects with a `FolderError`, and has then changed nothing.
 */
export async function openStore(folder: string, keyFile?: string): Promise<OpenStore> {
  const cipher = cipherOfFile(keyFile);
  try {
    const file = prepareFolder(folder);
    const lock = await FolderLock.take(folder);
    try {
      return await open(folder, file, cipher, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw folderError(folder, error);
  }
}

async function open(folder: string, file: string, cipher: Cipher, lock: FolderLock): Promise<OpenStore> {
  const db = await connect(file);
  const close = () => {
    closeDatabase(db);
    lock.release();
  };
  try {
    return waiting(db, () => {
      readVersion(db);
      configure(db);
      migrate(db);
      useCipher(db, cipher, folder);
      return { db, cipher, rows: readList(db), unfinished: finishErasing(db), close };
    });
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function useCipher(db: Database, cipher: Cipher, folder: string): void {
  const id = readKeyId(db);
  if (id === cipher.id) return;
  if (id !== null) throw wrongKey(folder, id, cipher);
  inTransaction(db, () => changeCipher(db, PLAIN, cipher));
}

/** @param id of the key with which the store is encrypted */
export function wrongKey(folder: string, id: string, { id: given }: Cipher): FolderError {
  return new FolderError(
    given === null
      ? `The store in '${folder}' is encrypted with the key ${id}: name its file with --key-file.`
      : `The store in '${folder}' is encrypted with the key ${id}, not ${given}: name that key's file with --key-file.`,
  );
}

/**
 * Empties the journal: the previous process may have ended between a deletion and this. What was encrypted just now lies
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
