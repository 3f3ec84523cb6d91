import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';
import { DATABASE, FolderError, folderError } from './folder.ts';
import { reasonOf } from './operations.ts';
import { connectToRead, queryAside, sqliteError } from './sqlite-file.ts';
import { readVersion, VERSION } from './sqlite-schema.ts';
import { columnsOf, hasColumns, hasTable } from './tables.ts';

type ReadTask<T> = (db: Database, file: string) => T | Promise<T>;

/** Runs `task` on the store of a running or stopped gateway, without changing it. Rejects with a `FolderError`. */
export async function readStore<T>(folder: string, task: ReadTask<T>): Promise<T> {
  const file = join(folder, DATABASE);
  checkStore(folder);
  try {
    return await readDatabase(file, task);
  } catch (error) {
    const busy = `The store in '${folder}' is locked, by a gateway of an earlier version: stop that gateway first.`;
    throw folderError(folder, error, busy);
  }
}

/** Throws a {@link FolderError} if the store is of an earlier version. */
export function checkVersion(db: Database, folder: string): void {
  if (readVersion(db) === VERSION) return;
  throw new FolderError(
    `The store in '${folder}' is of an earlier version of the gateway: start this one once, which converts it.`,
  );
}

/** Whether the folder holds a store, of any version. */
export function hasStore(folder: string): boolean {
  const stats = statSync(join(folder, DATABASE), { throwIfNoEntry: false });
  return stats !== undefined && stats.size > 0;
}

/** Throws a {@link FolderError} if the folder holds no store. */
export function checkStore(folder: string): void {
  try {
    if (hasStore(folder)) {
      accessSync(join(folder, DATABASE), constants.R_OK);
      return;
    }
  } catch (error) {
    throw new FolderError(
      `The store in '${folder}' cannot be read (${reasonOf(error)}): run this as the gateway's user.`,
    );
  }
  throw new FolderError(`There is no store in '${folder}': name the gateway's folder with --data.`);
}

/** Runs `task` on an SQLite file, without changing it. Rejects with SQLite's error. */
export async function readDatabase<T>(file: string, task: ReadTask<T>): Promise<T> {
  const db = await connectToRead(file);
  try {
    return await task(db, file);
  } finally {
    db.close();
  }
}

/** Resolves with the number of sessions. Rejects with SQLite's error if the database is damaged, or holds no store. */
export async function checkIntact(db: Database, file: string): Promise<number> {
  readVersion(db);
  const [check] = await queryAside(file, 'PRAGMA integrity_check(1)');
  if (columnsOf(check).integrity_check !== 'ok') throw sqliteError('SQLITE_CORRUPT');
  // Other programs have a table of this name too.
  if (!hasColumns(db, 'session', ['numero', 'leaving'])) throw sqliteError('SQLITE_NOTADB');
  const sessions = db.prepare('SELECT rowid AS id FROM session').all().map(columnsOf);
  const version = readVersion(db);
  const row = ['type', 'id', 'value'];
  const missing = (table: string, columns: readonly string[]) => !hasColumns(db, table, columns);
  if (version >= 4) {
    const tables = ['key', 'archive'].some((table) => missing(table, ['session', ...row]));
    if (tables || missing('session', ['secret']) || missing('cipher', ['id']))
      throw sqliteError('SQLITE_CORRUPT');
    return sessions.length;
  }
  if (version === 0 && hasTable(db, 'key')) return sessions.length;
  if (version > 1 && missing('key', ['id'])) throw sqliteError('SQLITE_CORRUPT');
  const tables = version > 2 ? ['keys', 'archive'] : ['keys'];
  const isCut = sessions.some(({ id }) => tables.some((of) => missing(`${of}_${id}`, row)));
  if (isCut) throw sqliteError('SQLITE_CORRUPT');
  return sessions.length;
}
