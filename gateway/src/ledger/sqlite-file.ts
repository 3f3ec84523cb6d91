import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database } from 'libsql';
import { LOCK } from './folder.ts';

/** How long to wait for another process that reads the store, in milliseconds; nothing else runs meanwhile. */
export const WAIT = 5_000;

/** Opens an SQLite file, creating it if it is missing. Rejects with SQLite's error. */
export async function connect(file: string): Promise<Database> {
  const { default: LibsqlDatabase } = await import('libsql');
  return new LibsqlDatabase(file);
}

/**
 * Opens the database of a running or stopped gateway for reading only. Rejects with SQLite's error, sooner or later:
 * SQLite reads nothing before the first query.
 */
export async function connectToRead(file: string): Promise<Database> {
  const db = await connect(readOnly(file));
  db.pragma(`busy_timeout = ${WAIT}`);
  return db;
}

/**
 * Runs one statement on an SQLite file, without changing it, while this process goes on: for those that take long.
 * Resolves with its rows; rejects with SQLite's error.
 */
export async function queryAside(
  file: string,
  statement: string,
  ...parameters: readonly unknown[]
): Promise<unknown[]> {
  const { default: AsyncDatabase } = await import('libsql/promise');
  const db = new AsyncDatabase(readOnly(file), {});
  try {
    await db.exec(`PRAGMA busy_timeout = ${WAIT}`);
    const prepared = await db.prepare(statement);
    // The only method that does not hold up the process.
    return await prepared.all(...parameters);
  } finally {
    db.close();
  }
}

/** The driver ignores better-sqlite3's option `readonly`. */
function readOnly(file: string): string {
  return `${pathToFileURL(file).href}?mode=ro`;
}

/**
 * Keeps two gateways off one folder, since with the same credentials they would keep replacing each other's
 * connections. It is a lock of the operating system, held through SQLite: it ends with the process, however that ends,
 * and does not keep others from reading the store. Rejects with SQLite's error: `SQLITE_BUSY` while another process
 * holds the lock.
 *
 * @returns releases the lock
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const db = await connect(join(folder, LOCK));
  try {
    // Otherwise the transaction would create a journal file.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw error;
  }
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

export function closeDatabase(db: Database): void {
  try {
    // Closing alone keeps the file locked until every statement is garbage-collected. A write releases the lock, but
    // not in WAL mode.
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN IMMEDIATE; COMMIT');
  } catch {
    // The disk is full, the folder is missing, or a backup is being made: the journal stays, with all saved data.
  } finally {
    db.close();
  }
}

/** Runs `task` in a transaction, rolled back if it throws. */
export function inTransaction<T>(db: Database, task: () => T): T {
  db.exec('BEGIN');
  try {
    const result = task();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled back; libsql's own `transaction` would then report only that.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Returns an error like SQLite's own. */
export function sqliteError(code: string): Error {
  return Object.assign(new Error(`SQLite failed: ${code}`), { code });
}

/** Returns the columns of a row by name. */
export function columnsOf(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}
