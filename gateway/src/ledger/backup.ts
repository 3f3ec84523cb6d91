import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database } from 'libsql';
import { createFile, FolderError, VersionError } from './folder.ts';
import { checkIntact, columnsOf, readDatabase, readKeyId, readStore } from './sqlite-store.ts';

/**
 * Writes a snapshot of a running or stopped gateway's store to a new file, encrypted or not like the store. The file is
 * readable by its owner only, and appears once it is whole and was checked. Rejects with a {@link FolderError}.
 *
 * @returns the number of sessions in it
 */
export async function backup(folder: string, file: string): Promise<{ sessions: number }> {
  if (statSync(file, { throwIfNoEntry: false })) throw existing(file);
  const partial = `${file}.${randomUUID()}.partial`;
  try {
    // SQLite takes an empty file, and keeps its mode.
    writing(file, () => createFile(partial));
    await readStore(folder, (db) => writing(file, () => db.prepare('VACUUM INTO ?').run(partial)));
    const { sessions } = await checkBackup(partial, file);
    writing(file, () => {
      sync(partial);
      appear(partial, file);
      sync(dirname(file));
    });
    return { sessions };
  } finally {
    rmSync(partial, { force: true });
  }
}

/**
 * Makes sure that a file is a whole backup that this gateway can use. Returns the number of sessions in it, and the id of
 * the key with which it is encrypted, if it is. Rejects with a {@link FolderError}.
 *
 * @param name the file's name in the sentence
 */
export async function checkBackup(
  file: string,
  name: string,
): Promise<{ sessions: number; key: string | null }> {
  try {
    return await readDatabase(file, (db) => {
      const sessions = checkIntact(db);
      // SQLite does not notice if part of the last page is missing.
      if (sizeOf(db) !== statSync(file).size) throw damaged(name);
      return { sessions, key: readKeyId(db) };
    });
  } catch (error) {
    if (error instanceof VersionError) {
      throw new FolderError(`'${name}' ${error.message}: use that version, or choose another backup.`);
    }
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code === 'SQLITE_NOTADB') {
      throw new FolderError(`'${name}' is not a gateway's backup: choose another file.`);
    }
    throw damaged(name);
  }
}

/** Makes writes to a file, or renames in a folder, survive a power cut. */
export function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Gives the backup its name. A rename would replace a file that another process has put there meanwhile. */
function appear(partial: string, file: string): void {
  try {
    linkSync(partial, file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw existing(file);
    // Not every file system has links.
    renameSync(partial, file);
  }
}

function existing(file: string): FolderError {
  return new FolderError(`'${file}' exists already: choose another name for the backup.`);
}

function damaged(name: string): FolderError {
  return new FolderError(`'${name}' is damaged or cut short: choose another backup.`);
}

function sizeOf(db: Database): number {
  const query = 'SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size';
  return Number(columnsOf(db.prepare(query).get()).bytes);
}

/** Runs a task that writes the backup, and turns its errors into sentences. */
function writing(file: string, task: () => unknown): void {
  try {
    task();
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    // An error of the store, not of the backup.
    if (/^SQLITE_(?:BUSY|NOTADB|CORRUPT)$/.test(String(error.code))) throw error;
    throw new FolderError(`The backup '${file}' cannot be written (${error.code}): choose another place.`);
  }
}
