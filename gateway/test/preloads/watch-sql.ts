import Database from 'libsql';

/**
 * Calls `watch` before each SQLite statement of this process; if it throws, the statement fails. Returns a function
 * that ends this.
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
