import Database from 'libsql';
import type { Scope } from '../../support/scope.ts';

/**
 * Has SQLite fail in this process with every statement that the pattern fits, as on a full disk. Gives what ends that.
 * @param code SQLite's name of the error
 */
export function failSql(scope: Scope, pattern: RegExp, code = 'SQLITE_FULL'): () => void {
  const { prepare, exec } = Database.prototype;
  function refuse(db: Database.Database, sql: string): void {
    if (!pattern.test(sql)) return;
    // As SQLite does itself.
    if (db.inTransaction) exec.call(db, 'ROLLBACK');
    throw new Database.SqliteError('The disk is not well', code, 0);
  }
  Object.assign(Database.prototype, {
    prepare(this: Database.Database, sql: string) {
      refuse(this, sql);
      return prepare.call(this, sql);
    },
    exec(this: Database.Database, sql: string) {
      refuse(this, sql);
      return exec.call(this, sql);
    },
  });
  const heal = () => Object.assign(Database.prototype, { prepare, exec });
  scope.after(heal);
  return heal;
}
