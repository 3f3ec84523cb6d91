import type { Database } from 'libsql';
import type { Cipher } from './cipher.ts';
import { converted, earlierSealer, newSecret, sealerOf } from './sealer.ts';
import { inTransaction } from './sqlite-file.ts';
import { addToList, columnsOf, createList, hasTable, rowOf } from './tables.ts';

/** Each step converts the tables of the previous version. */
const STEPS = [createFirst, addKeys, addArchives, addSecrets];

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

/**
 * Brings the store to {@link VERSION}, each step whole or not at all. Throws SQLite's error.
 *
 * @param from the cipher of the store
 * @param to the cipher for a store that is converted from a version before {@link VERSION}
 */
export function migrate(db: Database, from: Cipher, to: Cipher): void {
  for (let version = readVersion(db); version < VERSION; version++) {
    inTransaction(db, () => {
      STEPS[version]?.(db, from, to);
      db.pragma(`user_version = ${version + 1}`);
    });
  }
}

/** Returns the id of the key of the whole store; null if it is not encrypted. */
export function readKeyId(db: Database): string | null {
  const version = readVersion(db);
  if (version < 2) return null;
  const table = version < 4 ? 'key' : 'cipher';
  const { id } = columnsOf(db.prepare(`SELECT id FROM ${table}`).get());
  return typeof id === 'string' ? id : null;
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

/** A secret for each session, and one table for the rows of all. The name `key` still keeps the oldest gateways out. */
function addSecrets(db: Database, from: Cipher, to: Cipher): void {
  const sessions = db.prepare('SELECT id, numero, leaving FROM session ORDER BY id').all().map(columnsOf);
  db.exec('DROP TABLE key; DROP TABLE session');
  createList(db);
  db.exec('CREATE TABLE cipher (id TEXT) STRICT');
  db.prepare('INSERT INTO cipher VALUES (?)').run([to.id]);
  for (const table of ['key', 'archive']) {
    db.exec(
      `CREATE TABLE ${table} (
        session INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (session, type, id)
      ) STRICT, WITHOUT ROWID`,
    );
  }
  for (const { id, numero: name, leaving } of sessions) {
    const numero = String(name);
    const secret = newSecret(to, numero);
    addToList(db, [{ id: Number(id), numero, leaving: leaving === 1, secret }]);
    const sealers = [earlierSealer(from, numero), sealerOf(to, numero, secret)] as const;
    for (const [table, old] of [
      ['key', `keys_${id}`],
      ['archive', `archive_${id}`],
    ] as const) {
      const rows = db.prepare(`SELECT type, id, value FROM ${old}`).all().map(rowOf);
      const insert = db.prepare(`INSERT INTO ${table} (session, type, id, value) VALUES (?, ?, ?, ?)`);
      for (const row of converted(table, rows, ...sealers)) insert.run(id, row.type, row.id, row.value);
      db.exec(`DROP TABLE ${old}`);
    }
  }
}
