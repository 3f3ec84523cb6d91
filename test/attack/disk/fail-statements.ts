/** Loaded before the gateway: makes some of SQLite's statements fail while a file says so. */
import { readFileSync } from 'node:fs';
import Database from 'libsql';
import { watchSql } from '../../../gateway/test/preloads/watch-sql.ts';
import { Random } from '../random.ts';
import { parseFailures } from './failing-disk.ts';

const { WO_FAILURES = '', WO_SEED = '0' } = process.env;
const WRITES = /^(BEGIN IMMEDIATE|INSERT|CREATE|DROP|DELETE|COMMIT|PRAGMA (wal_checkpoint|journal_mode))/;
const random = new Random(Number(WO_SEED));
const { exec } = Database.prototype;

watchSql((sql, db) => {
  const statement = sql.trim();
  const { code, chance } = parseFailures(readFileSync(WO_FAILURES, 'utf8'));
  // A full disk can still be read, and a rollback never fails.
  const fails = code === 'SQLITE_FULL' ? WRITES.test(statement) : !statement.startsWith('ROLLBACK');
  if (!fails || !random.chance(chance)) return;
  // SQLite does so itself at times.
  if (db.inTransaction && random.chance(0.5)) exec.call(db, 'ROLLBACK');
  throw new Database.SqliteError('The disk is not well', code, 0);
});
