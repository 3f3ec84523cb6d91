import Database from 'libsql';

/**
 * Calls `watch` before each statement of SQLite's in this process; what it throws is the statement's failure. Gives what
 * ends that.
 */
export function watchSql(watch: (sql: string, db: Database.Database) => void): () => void {
  const { prepare, exec } = Database.prototype;
  Object.assign(Database.prototype, {
    prepare(this: Database.Database, sql: string) {
      watch(sql, this);
      return prepare.call(this, sql);
    },
    exec(this: Database.Database, sql: string) {
      watch(sql, this);
      return exec.call(this, sql);
    },
  });
  return () => Object.assign(Database.prototype, { prepare, exec });
}
