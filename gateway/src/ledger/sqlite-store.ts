import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';
import { type Cipher, PLAIN, reseal } from './cipher.ts';
import { DATABASE, FolderError, folderError, prepareFolder, VersionError } from './folder.ts';
import { keyProblem } from './key-file.ts';
import { reasonOf } from './operations.ts';
import { type ConfirmedVersion, type Row, resealed, TABLES, type Table, type Told } from './row.ts';
import {
  closeDatabase,
  columnsOf,
  connect,
  connectToRead,
  inTransaction,
  lockFolder,
  queryAside,
  sqliteError,
  WAIT,
} from './sqlite-file.ts';
import { toldPlace } from './told-store.ts';

/** The version of the store that this gateway makes and knows. */
export const VERSION = 1;

const ROWS = `(
  session INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (session, type, id)
) STRICT, WITHOUT ROWID`;
const COLUMNS = {
  session: '(id INTEGER PRIMARY KEY, numero TEXT NOT NULL, leaving INTEGER NOT NULL) STRICT',
  key: ROWS,
  archive: ROWS,
  told: '(channel TEXT PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL) STRICT',
  cipher: '(id TEXT) STRICT',
  client: '(version TEXT NOT NULL, confirmed INTEGER NOT NULL) STRICT',
};

/** A row of the session list. */
export interface SessionRow {
  readonly id: number;
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
}

/** The store of one process that may write to it. */
export interface OpenStore {
  readonly db: Database;
  close(): void;
}

/**
 * Opens the store in `folder` for this process alone, and creates a missing one. Rejects with a {@link FolderError} or
 * SQLite's error, and has then changed no session.
 *
 * @param given the cipher of the store; one without encryption is encrypted with it
 * @param to the cipher to change to, if `given` is that of the store
 */
export async function openStore(folder: string, given: Cipher, to = given): Promise<OpenStore> {
  const file = prepareFolder(folder);
  const release = await lockFolder(folder);
  let db: Database | undefined;
  const close = () => {
    if (db) closeDatabase(db);
    release();
  };
  try {
    db = await connect(file);
    db.pragma(`busy_timeout = ${WAIT}`);
    if (db.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) createTables(db, to);
    checkVersion(db);
    const id = readKeyId(db);
    const from = id === null && given === to ? PLAIN : given;
    if (id !== to.id) checkKey(db, from, folder);
    configure(db);
    if (id !== to.id) changeCipher(db, from, to);
    db.pragma('busy_timeout = 0');
    return { db, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Makes a store of an empty database, whole or not at all. */
export function createTables(db: Database, cipher: Cipher): void {
  inTransaction(db, () => {
    for (const [name, columns] of Object.entries(COLUMNS)) db.exec(`CREATE TABLE ${name} ${columns}`);
    db.prepare('INSERT INTO cipher VALUES (?)').run([cipher.id]);
    db.pragma(`user_version = ${VERSION}`);
  });
}

function configure(db: Database): void {
  db.pragma('journal_mode = WAL');
  // A phone linked just before a power cut must stay linked.
  db.pragma('synchronous = FULL');
  // Deleted data is overwritten.
  db.pragma('secure_delete = ON');
}

/** Throws a {@link VersionError} for a store of another version, or SQLite's error for a database that is no store. */
function checkVersion(db: Database): void {
  const [row]: unknown[] = [db.pragma('user_version')].flat();
  const version = Number(columnsOf(row).user_version);
  if (version === VERSION) return;
  if (version === 0) throw sqliteError('SQLITE_NOTADB');
  throw new VersionError(
    `is of another version of the gateway (store version ${version}; this one knows ${VERSION})`,
  );
}

/** Returns the id of the key of the whole store; null if it is not encrypted. */
export function readKeyId(db: Database): string | null {
  const { id } = columnsOf(db.prepare('SELECT id FROM cipher').get());
  return typeof id === 'string' ? id : null;
}

/** Throws a {@link FolderError} if the store is not encrypted with this key, or not encrypted at all. */
export function checkKey(db: Database, cipher: Cipher, folder: string): void {
  const problem = keyProblem(`The store in '${folder}'`, readKeyId(db), cipher.id);
  if (problem !== undefined) throw new FolderError(problem);
}

/**
 * Seals all values with another cipher, whole or not at all. The tables are made anew: an update would leave copies of
 * the old values in the free space of pages, while SQLite overwrites all of a table that it drops.
 */
function changeCipher(db: Database, from: Cipher, to: Cipher): void {
  inTransaction(db, () => {
    for (const table of TABLES) {
      db.exec(`ALTER TABLE ${table} RENAME TO old; CREATE TABLE ${table} ${COLUMNS[table]}`);
      for (const { id, numero } of readList(db)) {
        const rows = readRows(db, 'old WHERE session = ?', id);
        addRows(db, table, id, resealed(from, to, numero, rows));
      }
      db.exec('DROP TABLE old');
    }
    const told = readTold(db);
    db.exec(`DROP TABLE told; CREATE TABLE told ${COLUMNS.told}`);
    for (const [channel, { text, version }] of told) {
      replaceTold(db, channel, { text: reseal(from, to, text, toldPlace(channel)), version });
    }
    db.prepare('UPDATE cipher SET id = ?').run([to.id]);
  });
  // Until then the old values are in the database.
  db.pragma('wal_checkpoint(TRUNCATE)');
}

type ReadTask<T> = (db: Database, file: string) => T | Promise<T>;

/** Runs `task` on the store of a running or stopped gateway, without changing it. Rejects with a `FolderError`. */
export async function readStore<T>(folder: string, task: ReadTask<T>): Promise<T> {
  checkStore(folder);
  try {
    return await readDatabase(join(folder, DATABASE), task);
  } catch (error) {
    throw folderError(folder, error);
  }
}

/** Whether the folder holds a store, of any version. */
export function hasStore(folder: string): boolean {
  const stats = statSync(join(folder, DATABASE), { throwIfNoEntry: false });
  return stats !== undefined && stats.size > 0;
}

/** Throws a {@link FolderError} if the folder holds no store. */
export function checkStore(folder: string): void {
  try {
    if (hasStore(folder)) {
      accessSync(join(folder, DATABASE), constants.R_OK);
      return;
    }
  } catch (error) {
    throw new FolderError(
      `The store in '${folder}' cannot be read (${reasonOf(error)}): run this as the gateway's user.`,
    );
  }
  throw new FolderError(`There is no store in '${folder}': name the gateway's folder with --data.`);
}

/** Runs `task` on an SQLite file with a store, without changing it. Rejects with a {@link VersionError} or SQLite's error. */
export async function readDatabase<T>(file: string, task: ReadTask<T>): Promise<T> {
  const db = await connectToRead(file);
  try {
    checkVersion(db);
    return await task(db, file);
  } finally {
    db.close();
  }
}

/** Resolves with the number of sessions. Rejects with SQLite's error if the store is damaged. */
export async function checkIntact(db: Database, file: string): Promise<number> {
  const [check] = await queryAside(file, 'PRAGMA integrity_check(1)');
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = tables.map((row) => columnsOf(row).name);
  const isWhole = Object.keys(COLUMNS).every((name) => names.includes(name));
  if (columnsOf(check).integrity_check !== 'ok' || !isWhole) throw sqliteError('SQLITE_CORRUPT');
  return readList(db).length;
}

export function readList(db: Database): SessionRow[] {
  const rows = db.prepare('SELECT id, numero, leaving FROM session ORDER BY id').all();
  return rows.map(columnsOf).map(({ id, numero, leaving }) => ({
    id: Number(id),
    numero: String(numero),
    leaving: leaving === 1,
  }));
}

/** Adds a session, and returns its id. */
export function addToList(db: Database, numero: string, leaving = false): number {
  const insert = db.prepare('INSERT INTO session (numero, leaving) VALUES (?, ?)');
  return Number(insert.run(numero, leaving ? 1 : 0).lastInsertRowid);
}

/** Returns rows of `key` or `archive`. @param from what follows FROM, with parameters */
export function readRows(db: Database, from: string, ...parameters: readonly unknown[]): Row[] {
  const rows = db.prepare(`SELECT type, id, value FROM ${from}`).all(...parameters);
  return rows.map(columnsOf).map(({ type, id, value }) => ({
    type: String(type),
    id: String(id),
    value: String(value),
  }));
}

/** Adds rows, in place of those that exist. */
export function addRows(db: Database, table: Table, session: number, rows: readonly Row[]): void {
  const put = db.prepare(
    `INSERT INTO ${table} (session, type, id, value) VALUES (?, ?, ?, ?)
     ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value`,
  );
  for (const { type, id, value } of rows) put.run(session, type, id, value);
}

/** Returns the last confirmed version of WhatsApp Web. */
export function readVersionRow(db: Database): ConfirmedVersion | undefined {
  const { version, confirmed } = columnsOf(db.prepare('SELECT version, confirmed FROM client').get());
  return version === undefined ? undefined : { version: String(version), confirmed: Number(confirmed) };
}

/** Returns what the channels have told. */
export function readTold(db: Database): Map<string, Told> {
  const rows = db.prepare('SELECT channel, text, version FROM told').all();
  return new Map(
    rows.map(columnsOf).map(({ channel, text, version }) => {
      return [String(channel), { text: String(text), version: String(version) }];
    }),
  );
}

export function replaceTold(db: Database, channel: string, { text, version }: Told): void {
  db.prepare('INSERT OR REPLACE INTO told VALUES (?, ?, ?)').run([channel, text, version]);
}
