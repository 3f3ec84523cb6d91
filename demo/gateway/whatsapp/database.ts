import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS session (
    numero TEXT NOT NULL UNIQUE,
    -- The account's own keys, as JSON, once a phone is linked.
    creds TEXT,
    -- 1 once it was deleted, until WhatsApp knows of it.
    leaving INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS key (
    numero TEXT NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (numero, type, id)
  ) STRICT, WITHOUT ROWID;
`;

/** Opens the file of the sessions in `folder`, making what is missing. Rejects with SQLite's error, or Node's. */
export async function openDatabase(folder: string): Promise<Database> {
  const { default: LibsqlDatabase } = await import('libsql');
  const db = new LibsqlDatabase(createFile(folder));
  // Two gateways with the same credentials would throw each other out of WhatsApp for ever.
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  // A power cut right after a phone was linked must not lose it.
  db.pragma('synchronous = FULL');
  // What is deleted is overwritten.
  db.pragma('secure_delete = ON');
  db.exec(SCHEMA);
  return db;
}

/** SQLite gives its journals the mode of the file, so it is set before there are any. */
function createFile(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'sessions.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
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
