import Database from 'libsql';
import type { Scope } from '../../../../test/support/scope.ts';
import { watchSql } from '../../preloads/watch-sql.ts';

/**
 * Makes every SQLite statement of this process that matches the pattern fail, as on a full disk. Returns a function
 * that ends this.
 *
 * @param code SQLite's name of the error
 */
export function failSql(scope: Scope, pattern: RegExp, code = 'SQLITE_FULL'): () => void {
  const { exec } = Database.prototype;
  const heal = watchSql((sql, db) => {
    if (!pattern.test(sql)) return;
    // As SQLite does itself.
    if (db.inTransaction) exec.call(db, 'ROLLBACK');
    throw new Database.SqliteError('The disk is not well', code, 0);
  });
  scope.after(heal);
  return heal;
}
