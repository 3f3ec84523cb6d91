import { join } from 'node:path';
import Database from 'libsql';
import { PLAIN } from '../../../src/ledger/cipher.ts';
import { sealerOf } from '../../../src/ledger/sealer.ts';

/** The earlier versions of the store; the oldest has no number either. */
export const EARLIER = ['oldest', 'unnumbered', 'first', 'second'] as const;

const OLD_TABLES = `
  CREATE TABLE old_session (numero TEXT NOT NULL UNIQUE, creds TEXT, leaving INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE key (
    numero TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (numero, type, id)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Converts the store of a gateway that is not running into that of an earlier version: the `oldest` has one table with
 * the keys of all sessions; the `unnumbered` one has the tables of the `first`; the `second` lacks the archives alone,
 * and may be encrypted.
 */
export function makeOld(folder: string, version: (typeof EARLIER)[number] = 'oldest'): void {
  const db = new Database(join(folder, 'sessions.sqlite'));
  db.pragma('secure_delete = ON');
  db.exec('BEGIN');
  if (Number(Object(db.prepare('PRAGMA user_version').get()).user_version) === 4) makeThird(db);
  const rows = db.prepare('SELECT id, numero, leaving FROM session ORDER BY id').all().map(Object);
  for (const { id } of rows) db.exec(`DROP TABLE archive_${id}`);
  if (version === 'second') db.pragma('user_version = 2');
  else dropKeyIds(db, rows, version);
  db.exec('COMMIT');
  db.close();
}

/** Gives each session tables of its own; keys keep their hashed ids, under which nobody finds them. */
function makeThird(db: Database.Database): void {
  const rows = db.prepare('SELECT id, numero, leaving, secret FROM session ORDER BY id').all().map(Object);
  const values = { key: 'keys', archive: 'archive' } as const;
  for (const { id, numero, secret } of rows) {
    const sealer = sealerOf(PLAIN, numero, secret);
    for (const [table, name] of Object.entries(values)) {
      db.exec(`
        CREATE TABLE ${name}_${id} (
          type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, key TEXT, PRIMARY KEY (type, id)
        ) STRICT, WITHOUT ROWID`);
      const insert = db.prepare(`INSERT INTO ${name}_${id} (type, id, value) VALUES (?, ?, ?)`);
      for (const row of db
        .prepare(`SELECT type, id, value FROM ${table} WHERE session = ?`)
        .all(id)
        .map(Object)) {
        insert.run(row.type, row.id, sealer.open(table === 'key' ? 'key' : 'archive', row).value);
      }
    }
  }
  db.exec('DROP TABLE key; DROP TABLE archive; DROP TABLE cipher');
  db.exec('CREATE TABLE key (id TEXT) STRICT');
  db.exec('ALTER TABLE session DROP COLUMN secret');
}

function dropKeyIds(
  db: Database.Database,
  rows: { id: number; numero: string; leaving: number }[],
  version: (typeof EARLIER)[number],
): void {
  db.exec('DROP TABLE key');
  for (const { id } of rows) {
    db.exec(`
      CREATE TABLE copy (
        type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (type, id)
      ) STRICT, WITHOUT ROWID;
      INSERT INTO copy SELECT type, id, value FROM keys_${id} WHERE type <> 'used';
      INSERT INTO copy VALUES ('proof', '', '1');
      DROP TABLE keys_${id};
      ALTER TABLE copy RENAME TO keys_${id};
    `);
  }
  db.pragma(`user_version = ${version === 'first' ? 1 : 0}`);
  if (version === 'oldest') joinTables(db, rows);
}

function joinTables(db: Database.Database, rows: { id: number; numero: string; leaving: number }[]): void {
  db.exec(OLD_TABLES);
  for (const { id, numero, leaving } of rows) {
    db.prepare(
      `INSERT INTO old_session SELECT ?, (SELECT value FROM keys_${id} WHERE type = 'creds'), ?`,
    ).run(numero, leaving);
    db.prepare(`INSERT INTO key SELECT ?, type, id, value FROM keys_${id} WHERE type <> 'creds'`).run(numero);
    db.exec(`DROP TABLE keys_${id}`);
  }
  db.exec('DROP TABLE session; ALTER TABLE old_session RENAME TO session');
}
