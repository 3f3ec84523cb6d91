import type { Database } from 'libsql';
import { hasOldTables, moveOldTables } from './migrations.ts';
import { columnsOf, createList, hasTable } from './tables.ts';

/** Opens the database and creates missing tables. Rejects with SQLite's error. */
export async function openDatabase(file: string): Promise<Database> {
  const { default: LibsqlDatabase } = await import('libsql');
  const db = new LibsqlDatabase(file);
  try {
    // Two gateways with the same credentials would keep replacing each other's connections.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    // A phone linked just before a power cut must stay linked.
    db.pragma('synchronous = FULL');
    // Deleted data is overwritten.
    db.pragma('secure_delete = ON');
    if (hasOldTables(db)) inTransaction(db, () => moveOldTables(db));
    else if (!hasTable(db, 'session')) createList(db);
    return db;
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

/** Empties the journal, where deleted data can still be read. Throws SQLite's error. */
export function emptyJournal(db: Database): void {
  const [result]: unknown[] = [db.pragma('wal_checkpoint(TRUNCATE)')].flat();
  // It does not throw while the journal is being read.
  if (columnsOf(result).busy !== 0)
    throw Object.assign(new Error('The journal is in use'), { code: 'SQLITE_BUSY' });
}

export function closeDatabase(db: Database): void {
  try {
    // Closing alone keeps the file locked until every statement is garbage-collected. A write releases the lock, but
    // not in WAL mode.
    db.pragma('journal_mode = DELETE');
    db.pragma('locking_mode = NORMAL');
    db.exec('BEGIN IMMEDIATE; COMMIT');
  } catch {
    // The disk is full, or the folder is gone: the journal stays, with everything that could be saved.
  } finally {
    db.close();
  }
}

/** Runs `task` in a transaction, rolled back if it throws. */
export function inTransaction(db: Database, task: () => void): void {
  db.exec('BEGIN');
  try {
    task();
    db.exec('COMMIT');
  } catch (error) {
    // On a full disk SQLite has already rolled back; libsql's own `transaction` would then report only that.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
