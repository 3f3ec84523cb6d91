import { join } from 'node:path';
import type { Database } from 'libsql';
import { LOCK } from './folder.ts';
import { connect } from './sqlite-file.ts';

/**
 * Keeps two gateways off one folder, since with the same credentials they would keep replacing each other's
 * connections. It is a lock of the operating system, held through SQLite: it ends with the process, however that ends,
 * and does not keep others from reading the store.
 */
export class FolderLock {
  readonly #db: Database;

  private constructor(db: Database) {
    this.#db = db;
  }

  /** Rejects with SQLite's error: `SQLITE_BUSY` while another process holds the lock. */
  static async take(folder: string): Promise<FolderLock> {
    const db = await connect(join(folder, LOCK));
    try {
      // Otherwise the transaction would create a journal file.
      db.pragma('journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
      return new FolderLock(db);
    } catch (error) {
      db.close();
      throw error;
    }
  }

  release(): void {
    this.#db.exec('ROLLBACK');
    this.#db.close();
  }
}
