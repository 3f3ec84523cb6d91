import type { Database } from 'libsql';
import { hasOldTables, moveOldTables } from './old-tables.ts';
import { columnsOf, createList, hasTable } from './tables.ts';

/** Opens the file of the sessions, making the tables that are missing. Rejects with SQLite's error. */
export async function openDatabase(file: string): Promise<Database> {
  const { default: LibsqlDatabase } = await import('libsql');
  const db = new LibsqlDatabase(file);
  try {
    // Two gateways with the same credentials would throw each other out of WhatsApp for ever.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    // A power cut right after a phone was linked must not lose it.
    db.pragma('synchronous = FULL');
    // What is deleted is overwritten.
    db.pragma('secure_delete = ON');
    if (hasOldTables(db)) inTransaction(db, () => moveOldTables(db));
    else if (!hasTable(db, 'session')) createList(db);
    return db;
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

/** What was deleted can be read in the journal until then. Throws SQLite's error. */
export function emptyJournal(db: Database): void {
  const [result]: unknown[] = [db.pragma('wal_checkpoint(TRUNCATE)')].flat();
  // It does not throw where something is still reading the journal.
  if (columnsOf(result).busy !== 0)
    throw Object.assign(new Error('The journal is in use'), { code: 'SQLITE_BUSY' });
}

export function closeDatabase(db: Database): void {
  try {
    // Closing alone would keep the file locked until every statement is collected as garbage. The lock is given
    // back by a write, and only without the journal, which goes into the file here.
    db.pragma('journal_mode = DELETE');
    db.pragma('locking_mode = NORMAL');
    db.exec('BEGIN IMMEDIATE; COMMIT');
  } catch {
    // The disk is full, or the folder gone: then the journal stays, and whatever could be kept is in it.
  } finally {
    db.close();
  }
}

/** Does all of it or nothing. */
export function inTransaction(db: Database, task: () => void): void {
  db.exec('BEGIN');
  try {
    task();
    db.exec('COMMIT');
  } catch (error) {
    // On a full disk SQLite has rolled back by itself; the library's own `transaction` then tells only of that.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
