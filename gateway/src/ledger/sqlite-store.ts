import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Database } from 'libsql';
import { type Cipher, PLAIN, reseal } from './cipher.ts';
import { DATABASE, FolderError, inFolder, LOCK, prepareFolder, VersionError } from './folder.ts';
import { keyProblem } from './key-file.ts';
import { reasonOf } from './operations.ts';
import {
  type ConfirmedVersion,
  type Row,
  resealed,
  type StoredRows,
  type StoredSession,
  TABLES,
  type Table,
  type Told,
  toldPlace,
} from './row.ts';

/** The version of the store that this gateway makes and knows. */
export const VERSION = 1;

/** How long to wait for another process that reads the store, in milliseconds; nothing else runs meanwhile. */
const WAIT = 5_000;

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
  client:
    '(single INTEGER PRIMARY KEY CHECK (single = 1), version TEXT NOT NULL, confirmed INTEGER NOT NULL) STRICT',
};

interface SessionRow extends StoredSession {
  readonly id: number;
}

/** The store of one process that may write to it. */
interface OpenStore {
  readonly db: Database;
  /** In the order in which they were added. */
  readonly sessions: readonly SessionRow[];
  close(): void;
}

/**
 * Opens the store in `folder` for this process alone, and creates a missing one. Rejects with a {@link FolderError}, and
 * has then changed no session.
 *
 * @param given the cipher of the store; one without encryption is encrypted with it
 * @param to the cipher to change to, if `given` is that of the store
 */
export function openStore(folder: string, given: Cipher, to = given): Promise<OpenStore> {
  return inFolder(folder, async () => {
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
      checkKey(db, from, folder);
      // A phone linked just before a power cut must stay linked.
      db.pragma('synchronous = FULL');
      // Deleted data is overwritten.
      db.pragma('secure_delete = ON');
      if (id !== to.id) changeCipher(db, from, to);
      db.pragma('journal_mode = WAL');
      db.pragma('busy_timeout = 0');
      emptyJournal(db);
      return { db, sessions: readList(db), close };
    } catch (error) {
      close();
      throw error;
    }
  });
}

/** Opens an SQLite file, creating it if it is missing. Rejects with SQLite's error. */
export async function connect(file: string): Promise<Database> {
  const { default: LibsqlDatabase } = await import('libsql');
  return new LibsqlDatabase(file);
}

/** Makes a store of an empty database, whole or not at all. */
export function createTables(db: Database, cipher: Cipher): void {
  inTransaction(db, () => {
    for (const [name, columns] of Object.entries(COLUMNS)) db.exec(`CREATE TABLE ${name} ${columns}`);
    db.prepare('INSERT INTO cipher VALUES (?)').run([cipher.id]);
    db.pragma(`user_version = ${VERSION}`);
  });
}

/**
 * Seals all values with another cipher, whole or not at all. The tables are made anew: an update would leave copies of
 * the old values in the free space of pages, while SQLite overwrites all of a table that it drops.
 */
function changeCipher(db: Database, from: Cipher, to: Cipher): void {
  // Nobody else reads then, and the old values are gone at the moment of the change: a journal in WAL mode keeps both.
  db.pragma('journal_mode = DELETE');
  inTransaction(db, () => {
    const sessions = readSessions(db).map((session) => resealed(from, to, session));
    const told = readTold(db);
    for (const table of ['session', ...TABLES, 'told'] as const) {
      db.exec(`DROP TABLE ${table}; CREATE TABLE ${table} ${COLUMNS[table]}`);
    }
    addSessions(db, sessions);
    for (const { channel, text, version } of told) {
      replaceTold(db, channel, { text: reseal(from, to, text, toldPlace(channel)), version });
    }
    db.prepare('UPDATE cipher SET id = ?').run([to.id]);
  });
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
 * Keeps two gateways off one folder, since with the same credentials they would keep replacing each other's
 * connections. It is a lock of the operating system, held through SQLite: it ends with the process, however that ends,
 * and does not keep others from reading the store. Rejects with SQLite's error: `SQLITE_BUSY` while another process
 * holds the lock.
 *
 * @returns releases the lock
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const db = await connect(join(folder, LOCK));
  try {
    // Otherwise the transaction would create a journal file.
    db.pragma('journal_mode = MEMORY');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    throw error;
  }
  return () => {
    db.exec('ROLLBACK');
    db.close();
  };
}

function closeDatabase(db: Database): void {
  try {
    // Closing alone keeps the file locked until every statement is garbage-collected. A write releases the lock, but
    // not in WAL mode.
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN IMMEDIATE; COMMIT');
  } catch {
    // The disk is full, the folder is missing, or a backup is being made: the journal stays, with all saved data.
  } finally {
    db.close();
  }
}

/** Runs `task` on the store of a running or stopped gateway, without changing it. Rejects with a {@link FolderError}. */
export async function readStore<T>(folder: string, task: (db: Database) => T): Promise<T> {
  checkStore(folder);
  return inFolder(folder, () => readDatabase(join(folder, DATABASE), task));
}

/** Whether the folder holds a store, of any version. */
export function hasStore(folder: string): boolean {
  const stats = statSync(join(folder, DATABASE), { throwIfNoEntry: false });
  return stats !== undefined && stats.size > 0;
}

/**
 * Returns the numeros of a running or stopped gateway that are not being deleted; none without a store. Rejects with a
 * {@link FolderError}.
 */
export async function numerosIn(folder: string): Promise<string[]> {
  if (!(await inFolder(folder, () => hasStore(folder)))) return [];
  return readStore(folder, (db) => readList(db).flatMap(({ numero, leaving }) => (leaving ? [] : [numero])));
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
export async function readDatabase<T>(file: string, task: (db: Database) => T): Promise<T> {
  // The driver ignores better-sqlite3's option `readonly`.
  const db = await connect(`${pathToFileURL(file).href}?mode=ro`);
  try {
    db.pragma(`busy_timeout = ${WAIT}`);
    checkVersion(db);
    return task(db);
  } finally {
    db.close();
  }
}

/** Returns the number of sessions. Throws SQLite's error if the store is damaged. */
export function checkIntact(db: Database): number {
  const { integrity_check: result } = columnsOf(db.prepare('PRAGMA integrity_check(1)').get());
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const names = tables.map((row) => columnsOf(row).name);
  const isWhole = Object.keys(COLUMNS).every((name) => names.includes(name));
  if (result !== 'ok' || !isWhole) throw sqliteError('SQLITE_CORRUPT');
  return readList(db).length;
}

/**
 * Removes from the journal what was deleted or replaced. While a backup reads it, that is left to the next deletion, or
 * the end.
 */
export function emptyJournal(db: Database): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
}

/** Runs `task` in a transaction, rolled back if it throws. */
export function inTransaction<T>(db: Database, task: () => T): T {
  db.exec('BEGIN');
  try {
    const result = task();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled back; libsql's own `transaction` would then report only that.
    if (db.inTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

export function readList(db: Database): SessionRow[] {
  const rows = db.prepare('SELECT id, numero, leaving FROM session ORDER BY id').all();
  return rows.map(columnsOf).map(({ id, numero, leaving }) => ({
    id: Number(id),
    numero: String(numero),
    leaving: leaving === 1,
  }));
}

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

export function readSessions(db: Database): StoredRows[] {
  return readList(db).map(({ id, numero, leaving }) => ({
    numero,
    leaving,
    key: readRows(db, 'key WHERE session = ?', id),
    archive: readRows(db, 'archive WHERE session = ?', id),
  }));
}

/** Adds sessions in their order; run it in a transaction. */
export function addSessions(db: Database, sessions: readonly StoredRows[]): void {
  for (const session of sessions) {
    const id = addToList(db, session.numero, session.leaving);
    for (const table of TABLES) addRows(db, table, id, session[table]);
  }
}

export function readVersionRow(db: Database): ConfirmedVersion | undefined {
  const { version, confirmed } = columnsOf(db.prepare('SELECT version, confirmed FROM client').get());
  return version === undefined ? undefined : { version: String(version), confirmed: Number(confirmed) };
}

export function readTold(db: Database): (Told & { readonly channel: string })[] {
  const rows = db.prepare('SELECT channel, text, version FROM told').all();
  return rows.map(columnsOf).map(({ channel, text, version }) => ({
    channel: String(channel),
    text: String(text),
    version: String(version),
  }));
}

export function replaceTold(db: Database, channel: string, { text, version }: Told): void {
  db.prepare('INSERT OR REPLACE INTO told VALUES (?, ?, ?)').run([channel, text, version]);
}

/** Returns an error like SQLite's own. */
function sqliteError(code: string): Error {
  return Object.assign(new Error(`SQLite failed: ${code}`), { code });
}

export function columnsOf(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}
