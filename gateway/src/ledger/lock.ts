import { join } from 'node:path';
import { LOCK } from './folder.ts';
import { connect } from './sqlite-file.ts';

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
