/** Loaded before the gateway: some of SQLite's statements fail for as long as a file says so. */
import { readFileSync } from 'node:fs';
import Database from 'libsql';
import { Random } from '../random.ts';
import { parseFailures } from './failing-disk.ts';

const { WO_FAILURES = '', WO_SEED = '0' } = process.env;
const WRITES = /^(BEGIN IMMEDIATE|INSERT|CREATE|DROP|DELETE|COMMIT|PRAGMA (wal_checkpoint|journal_mode))/;
const random = new Random(Number(WO_SEED));
const { prepare, exec } = Database.prototype;

function pass(db: Database.Database, sql: string): void {
  const statement = sql.trim();
  const { code, chance } = parseFailures(readFileSync(WO_FAILURES, 'utf8'));
  // A full disk can still be read, and nothing fails to be undone.
  const fails = code === 'SQLITE_FULL' ? WRITES.test(statement) : !statement.startsWith('ROLLBACK');
  if (!fails || !random.chance(chance)) return;
  // SQLite does so itself, now and then.
  if (db.inTransaction && random.chance(0.5)) exec.call(db, 'ROLLBACK');
  throw new Database.SqliteError('The disk is not well', code, 0);
}

Object.assign(Database.prototype, {
  prepare(this: Database.Database, sql: string) {
    pass(this, sql);
    return prepare.call(this, sql);
  },
  exec(this: Database.Database, sql: string) {
    pass(this, sql);
    return exec.call(this, sql);
  },
});
