import { join } from 'node:path';
import Database from 'libsql';

const OLD_TABLES = `
  CREATE TABLE old_session (numero TEXT NOT NULL UNIQUE, creds TEXT, leaving INTEGER NOT NULL DEFAULT 0) STRICT;
  CREATE TABLE key (
    numero TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (numero, type, id)
  ) STRICT, WITHOUT ROWID;
`;

/** Converts the store of a gateway that is not running into that of an older version. */
export function makeOld(folder: string): void {
  const db = new Database(join(folder, 'sessions.sqlite'));
  db.pragma('secure_delete = ON');
  db.exec(`BEGIN; ${OLD_TABLES}`);
  for (const row of db.prepare('SELECT id, numero, leaving FROM session ORDER BY id').all()) {
    const { id, numero, leaving } = Object(row);
    db.prepare(
      `INSERT INTO old_session SELECT ?, (SELECT value FROM keys_${id} WHERE type = 'creds'), ?`,
    ).run(numero, leaving);
    db.prepare(`INSERT INTO key SELECT ?, type, id, value FROM keys_${id} WHERE type <> 'creds'`).run(numero);
    db.exec(`DROP TABLE keys_${id}`);
  }
  db.exec('DROP TABLE session; ALTER TABLE old_session RENAME TO session; COMMIT');
  db.close();
}
