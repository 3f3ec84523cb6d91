import type { Database } from 'libsql';
import { inTransaction } from './sqlite-file.ts';
import { columnsOf, hasTable } from './tables.ts';

/** Each step converts the tables of the previous version. Steps use no code that may change. */
const STEPS = [createFirst, addKeys, addArchives];

/** The version of the store that this gateway writes. */
export const VERSION = STEPS.length;

/** The store was written by a later gateway. */
export class LaterVersionError extends Error {
  override readonly name = 'LaterVersionError';
  readonly version: number;

  constructor(version: number) {
    super(`Store version ${version}`);
    this.version = version;
  }
}

/** Returns the version of the store; 0 for those from before versions were numbered, and for an empty file. */
export function readVersion(db: Database): number {
  const [row]: unknown[] = [db.pragma('user_version')].flat();
  const version = Number(columnsOf(row).user_version);
  if (version > VERSION) throw new LaterVersionError(version);
  return version;
}

/** Brings the store to {@link VERSION}, each step whole or not at all. Throws SQLite's error. */
export function migrate(db: Database): void {
  for (let version = readVersion(db); version < VERSION; version++) {
    inTransaction(db, () => {
      STEPS[version]?.(db);
      db.pragma(`user_version = ${version + 1}`);
    });
  }
}

/** Unnumbered stores: none; one table with the keys of all sessions (before November 2026); or already this version. */
function createFirst(db: Database): void {
  const list =
    'CREATE TABLE session (id INTEGER PRIMARY KEY, numero TEXT NOT NULL, leaving INTEGER NOT NULL) STRICT';
  if (!hasTable(db, 'session')) db.exec(list);
  if (!hasTable(db, 'key')) return;
  const sessions = db
    .prepare('SELECT numero, creds, leaving FROM session ORDER BY rowid')
    .all()
    .map(columnsOf);
  sessions.forEach(({ numero, creds }, index) => {
    const table = `keys_${index + 1}`;
    db.exec(
      `CREATE TABLE ${table} (
        type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (type, id)
      ) STRICT, WITHOUT ROWID`,
    );
    db.prepare(`INSERT INTO ${table} SELECT type, id, value FROM key WHERE numero = ?`).run(numero);
    if (creds !== null) db.prepare(`INSERT INTO ${table} VALUES ('creds', '', ?)`).run(creds);
  });
  db.exec('DROP TABLE session');
  db.exec(list);
  const insert = db.prepare('INSERT INTO session VALUES (?, ?, ?)');
  sessions.forEach(({ numero, leaving }, index) => {
    insert.run(index + 1, numero, leaving);
  });
  db.exec('DROP TABLE key');
}

/**
 * The id of its key with each value, and that of the whole store. The name `key` is that of a table of the oldest
 * stores, so gateways from before versions were numbered refuse the folder, and write no incompatible data.
 */
function addKeys(db: Database): void {
  db.exec('CREATE TABLE key (id TEXT) STRICT');
  for (const { id } of db.prepare('SELECT id FROM session').all().map(columnsOf)) {
    db.exec(`ALTER TABLE keys_${id} ADD COLUMN key TEXT`);
    // The time of the last use replaces it.
    db.exec(`DELETE FROM keys_${id} WHERE type = 'proof'`);
  }
}

/** Names, links and history of each session. */
function addArchives(db: Database): void {
  for (const { id } of db.prepare('SELECT id FROM session').all().map(columnsOf)) {
    db.exec(
      `CREATE TABLE archive_${id} (
        type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, key TEXT, PRIMARY KEY (type, id)
      ) STRICT, WITHOUT ROWID`,
    );
  }
}
