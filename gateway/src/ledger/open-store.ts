import type { Database } from 'libsql';
import type { Report } from '../progress.ts';
import { type Cipher, PLAIN } from './cipher.ts';
import { FolderError, prepareFolder } from './folder.ts';
import { keyProblem } from './key-file.ts';
import { lockFolder } from './lock.ts';
import { reasonOf } from './operations.ts';
import { closeDatabase, configure, connect, emptyJournal, inTransaction, waiting } from './sqlite-file.ts';
import { migrate, readKeyId } from './sqlite-schema.ts';
import { changeCipher } from './tables.ts';

/** The store of one process that may write to it. */
export interface OpenStore {
  readonly db: Database;
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
export async function openStore(
  folder: string,
  given: Cipher,
  to?: Cipher,
  report?: Report,
): Promise<OpenStore> {
  const file = prepareFolder(folder);
  const release = await lockFolder(folder);
  let db: Database | undefined;
  const close = () => {
    if (db) closeDatabase(db);
    release();
  };
  try {
    const store = await connect(file);
    db = store;
    const unfinished = waiting(store, () => {
      const isFirst = to === undefined && readKeyId(store) === null;
      if (!isFirst) checkKey(store, given, folder);
      const [from, cipher] = [isFirst ? PLAIN : given, to ?? given];
      configure(store);
      migrate(store, from, cipher, report);
      if (readKeyId(store) !== cipher.id)
        inTransaction(store, () => changeCipher(store, from, cipher, report));
      return finishErasing(store);
    });
    return { db: store, unfinished, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Throws a {@link FolderError} if the store is not encrypted with this key, or not encrypted at all. */
export function checkKey(db: Database, cipher: Cipher, folder: string): void {
  const problem = keyProblem(`The store in '${folder}'`, readKeyId(db), cipher.id);
  if (problem !== undefined) throw new FolderError(problem);
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
