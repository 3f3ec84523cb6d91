import type { Database } from 'libsql';
import { counted, type Report } from '../progress.ts';
import type { Cipher } from './cipher.ts';
import { converted } from './sealer.ts';
import { inTransaction } from './sqlite-file.ts';
import { addRows, addToList, columnsOf, createList, hasColumns, hasTable, readRows } from './tables.ts';

/** The version of the store that this gateway writes. */
export const VERSION = 4;

/** The store was written by a later gateway; the message is the part of a sentence that says so. */
export class LaterVersionError extends Error {
  override readonly name = 'LaterVersionError';
}

/** Returns the version of the store; 0 for those from before versions were numbered, and for an empty file. */
export function readVersion(db: Database): number {
  const [row]: unknown[] = [db.pragma('user_version')].flat();
  const version = Number(columnsOf(row).user_version);
  if (version > VERSION) {
    throw new LaterVersionError(
      `was written by a later version of the gateway (store version ${version}; this one knows ${VERSION})`,
    );
  }
  return version;
}

/**
 * Brings the store to {@link VERSION}, whole or not at all. Throws SQLite's error.
 *
 * @param from the cipher of the store
 * @param to the cipher for a store that is converted from an earlier version
 */
export function migrate(db: Database, from: Cipher, to: Cipher, report?: Report): void {
  if (readVersion(db) === VERSION) return;
  inTransaction(db, () => {
    convert(db, from, to, report);
    db.pragma(`user_version = ${VERSION}`);
  });
}

/** Returns the id of the key of the whole store; null if it is not encrypted. */
export function readKeyId(db: Database): string | null {
  const version = readVersion(db);
  if (version < 2) return null;
  const table = version < 4 ? 'key' : 'cipher';
  const { id } = columnsOf(db.prepare(`SELECT id FROM ${table}`).get());
  return typeof id === 'string' ? id : null;
}

/**
 * Converts any earlier version, or creates the tables. Before November 2026 one table had the keys of all sessions; then
 * each session had a table `keys_N` and, from the third version on, `archive_N`. The second and third had the id of the
 * store's key in the table `key`: gateways of the oldest version, which have a table of this name, refuse such a folder.
 */
function convert(db: Database, from: Cipher, to: Cipher, report?: Report): void {
  const isOldest = hasColumns(db, 'key', ['numero']);
  const sessions = hasTable(db, 'session')
    ? db.prepare('SELECT rowid AS id, * FROM session ORDER BY rowid').all().map(columnsOf)
    : [];
  db.exec(isOldest ? 'ALTER TABLE key RENAME TO keys' : 'DROP TABLE IF EXISTS key');
  db.exec('DROP TABLE IF EXISTS session');
  createTables(db);
  db.prepare('INSERT INTO cipher VALUES (?)').run([to.id]);
  const entries = counted([...sessions.entries()], 'converted', report);
  for (const [index, { id, numero: name, leaving, creds }] of entries) {
    const numero = String(name);
    const key = isOldest ? readRows(db, 'keys WHERE numero = ?', numero) : readRows(db, `keys_${id}`);
    if (typeof creds === 'string') key.push({ type: 'creds', id: '', value: creds });
    const archive = hasTable(db, `archive_${id}`) ? readRows(db, `archive_${id}`) : [];
    // The time of the last use has replaced the proof.
    const rows = { key: key.filter(({ type }) => type !== 'proof'), archive };
    const session = converted(from, to, numero, rows);
    addToList(db, [{ id: index + 1, numero, leaving: leaving === 1, secret: session.secret }]);
    for (const table of ['key', 'archive'] as const) addRows(db, table, index + 1, session[table]);
    db.exec(`DROP TABLE IF EXISTS keys_${id}; DROP TABLE IF EXISTS archive_${id}`);
  }
  db.exec('DROP TABLE IF EXISTS keys');
}

function createTables(db: Database): void {
  createList(db);
  db.exec('CREATE TABLE cipher (id TEXT) STRICT');
  for (const table of ['key', 'archive']) {
    db.exec(
      `CREATE TABLE ${table} (
        session INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (session, type, id)
      ) STRICT, WITHOUT ROWID`,
    );
  }
}
