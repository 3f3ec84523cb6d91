import type { Database } from 'libsql';
import { counted, type Report } from '../progress.ts';
import type { Cipher } from './cipher.ts';
import type { ConfirmedVersion, Row, Table, Told } from './row.ts';
import { rewrapped } from './sealer.ts';
import { resealed } from './told-store.ts';

/*
 * SQLite overwrites deleted rows, but moving rows within a page leaves copies behind. Only dropping a table leaves no
 * copies, since all its pages are overwritten. So the list of sessions, which has their secrets, is rewritten as a whole
 * whenever a secret is destroyed; copies of what was sealed with it are then of no use.
 */

/** A row of the session list. */
export interface SessionRow {
  readonly id: number;
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
  /** Its data keys; see `sealerOf`. */
  readonly secret: string;
}

export function createList(db: Database): void {
  db.exec(
    `CREATE TABLE session (
      id INTEGER PRIMARY KEY, numero TEXT NOT NULL, leaving INTEGER NOT NULL, secret TEXT NOT NULL
    ) STRICT`,
  );
}

export function readList(db: Database): SessionRow[] {
  const rows = db.prepare('SELECT id, numero, leaving, secret FROM session ORDER BY id').all();
  return rows.map(columnsOf).map(({ id, numero, leaving, secret }) => ({
    id: Number(id),
    numero: String(numero),
    leaving: leaving === 1,
    secret: String(secret),
  }));
}

/** Replaces all rows, and leaves no copies of them. */
export function replaceList(db: Database, rows: readonly SessionRow[]): void {
  db.exec('DROP TABLE session');
  createList(db);
  addToList(db, rows);
}

export function addToList(db: Database, rows: readonly SessionRow[]): void {
  const insert = db.prepare('INSERT INTO session (id, numero, leaving, secret) VALUES (?, ?, ?, ?)');
  for (const { id, numero, leaving, secret } of rows) insert.run(id, numero, leaving ? 1 : 0, secret);
}

/** Wraps all secrets with another cipher. Run it in a transaction, and empty the journal afterwards. */
export function changeCipher(db: Database, from: Cipher, to: Cipher, report?: Report): void {
  const rows = counted(readList(db), 'encrypted', report);
  replaceList(
    db,
    Array.from(rows, (row) => ({ ...row, secret: rewrapped(from, to, row.numero, row.secret) })),
  );
  for (const [channel, { text, version }] of readTold(db)) {
    replaceTold(db, channel, { text: resealed(from, to, channel, text), version });
  }
  db.prepare('UPDATE cipher SET id = ?').run([to.id]);
}

export function hasTable(db: Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** Whether there is a table with these columns. */
export function hasColumns(db: Database, table: string, columns: readonly string[]): boolean {
  const rows = db.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  const names = rows.map((row) => columnsOf(row).name);
  return columns.every((column) => names.includes(column));
}

/** Returns the columns of a row by name. */
export function columnsOf(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}

/** Returns rows of `key` or `archive`. @param from what follows FROM, with parameters */
export function readRows(db: Database, from: string, ...parameters: readonly unknown[]): Row[] {
  return db
    .prepare(`SELECT type, id, value FROM ${from}`)
    .all(...parameters)
    .map(rowOf);
}

/** Adds rows that do not exist yet. */
export function addRows(db: Database, table: Table, session: number, rows: readonly Row[]): void {
  const add = db.prepare(`INSERT INTO ${table} (session, type, id, value) VALUES (?, ?, ?, ?)`);
  for (const { type, id, value } of rows) add.run(session, type, id, value);
}

/** Returns the last confirmed version of WhatsApp Web. The table is missing until there is one. */
export function readVersionRow(db: Database): ConfirmedVersion | undefined {
  if (!hasTable(db, 'client')) return undefined;
  const { version, confirmed } = columnsOf(db.prepare('SELECT version, confirmed FROM client').get());
  return version === undefined ? undefined : { version: String(version), confirmed: Number(confirmed) };
}

export function replaceVersionRow(db: Database, { version, confirmed }: ConfirmedVersion): void {
  // Without a new version of the store: gateways of earlier versions ignore the table.
  db.exec('CREATE TABLE IF NOT EXISTS client (version TEXT NOT NULL, confirmed INTEGER NOT NULL) STRICT');
  db.exec('DELETE FROM client');
  db.prepare('INSERT INTO client VALUES (?, ?)').run([version, confirmed]);
}

/** Returns what the channels have told. The table is missing until there is something. */
export function readTold(db: Database): Map<string, Told> {
  if (!hasTable(db, 'told')) return new Map();
  const rows = db.prepare('SELECT channel, text, version FROM told').all();
  return new Map(
    rows.map(columnsOf).map(({ channel, text, version }) => {
      return [String(channel), { text: String(text), version: String(version) }];
    }),
  );
}

export function replaceTold(db: Database, channel: string, { text, version }: Told): void {
  // As with the version of WhatsApp Web.
  db.exec(
    'CREATE TABLE IF NOT EXISTS told (channel TEXT PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL) STRICT',
  );
  db.prepare('INSERT OR REPLACE INTO told VALUES (?, ?, ?)').run([channel, text, version]);
}

/** Returns a row of `key` or `archive`. */
export function rowOf(row: unknown): Row {
  const { type, id, value } = columnsOf(row);
  return { type: String(type), id: String(id), value: String(value) };
}
