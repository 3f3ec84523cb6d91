import type { Database } from 'libsql';
import { type Cipher, DecryptionError } from './cipher.ts';
import type { Row, Table } from './driver.ts';

/*
 * SQLite overwrites deleted rows, but moving rows within a page leaves copies behind. Only dropping a table leaves
 * no copies, since all its pages are overwritten. So each session has its own table for its keys, the list of sessions is
 * rewritten as a whole, and no table name contains a numero.
 */

/**
 * The tables of a session: its keys, which are erased when it is unlinked, and its archive, which stays until it is
 * deleted.
 */
export const BELONGINGS = ['keys', 'archive'] as const;

export type Belongings = (typeof BELONGINGS)[number];

/**
 * The keys of one session, or its archive, as text. Every method throws SQLite's error. Types and ids, which may contain
 * numbers of contacts, are never encrypted.
 */
export class KeyTable {
  readonly #db: Database;
  readonly #name: string;
  readonly #numero: string;
  readonly #cipher: Cipher;

  constructor(db: Database, { id, numero }: SessionRow, cipher: Cipher, of: Belongings = 'keys') {
    this.#db = db;
    this.#name = `${of}_${id}`;
    this.#numero = numero;
    this.#cipher = cipher;
  }

  create(): void {
    createTable(this.#db, this.#name);
  }

  /** Leaves no copies of its content. */
  empty(): void {
    this.#db.exec(`DROP TABLE IF EXISTS ${this.#name}`);
    this.create();
  }

  /** Throws a {@link DecryptionError} as well. */
  get(type: string, id: string): string | undefined {
    const row = this.#db
      .prepare(`SELECT value, key FROM ${this.#name} WHERE type = ? AND id = ?`)
      .get(type, id);
    return row === undefined ? undefined : this.#open(type, id, columnsOf(row));
  }

  putAll(keys: readonly Row[]): void {
    const put = this.#db.prepare(
      `INSERT INTO ${this.#name} (type, id, value, key) VALUES (?, ?, ?, ?)
       ON CONFLICT (type, id) DO UPDATE SET value = excluded.value, key = excluded.key`,
    );
    for (const { type, id, value } of keys) {
      put.run(type, id, this.#cipher.seal(value, [this.#numero, type, id]), this.#cipher.id);
    }
  }

  /** Returns every key. Throws a {@link DecryptionError} as well. */
  all(): Row[] {
    const rows = this.#db.prepare(`SELECT type, id, value, key FROM ${this.#name}`).all();
    return rows.map((row) => this.#keyOf(row));
  }

  #keyOf(row: unknown): Row {
    const columns = columnsOf(row);
    const [type, id] = [String(columns.type), String(columns.id)];
    return { type, id, value: this.#open(type, id, columns) };
  }

  #open(type: string, id: string, { value, key }: Record<string, unknown>): string {
    if (key !== this.#cipher.id) throw new DecryptionError('The value has another key');
    return this.#cipher.open(String(value), [this.#numero, type, id]);
  }
}

function createTable(db: Database, name: string): void {
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${name} (
      type TEXT NOT NULL,
      id TEXT NOT NULL,
      value TEXT NOT NULL,
      key TEXT,
      PRIMARY KEY (type, id)
    ) STRICT, WITHOUT ROWID`,
  );
}

/** Creates those tables of a session that do not exist. */
export function createTables(db: Database, session: number): void {
  for (const of of BELONGINGS) createTable(db, `${of}_${session}`);
}

/** Drops a table of a session, of whose content no copies are left. */
export function dropTable(db: Database, session: number, table: Table): void {
  db.exec(`DROP TABLE IF EXISTS ${table === 'key' ? 'keys' : table}_${session}`);
}

/** A row of the session list. */
export interface SessionRow {
  readonly id: number;
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
}

function createList(db: Database): void {
  db.exec(
    'CREATE TABLE session (id INTEGER PRIMARY KEY, numero TEXT NOT NULL, leaving INTEGER NOT NULL) STRICT',
  );
}

export function readList(db: Database): SessionRow[] {
  const rows = db.prepare('SELECT id, numero, leaving FROM session ORDER BY id').all();
  return rows.map(columnsOf).map(({ id, numero, leaving }) => ({
    id: Number(id),
    numero: String(numero),
    leaving: leaving === 1,
  }));
}

/** Replaces all rows. */
export function replaceList(db: Database, rows: readonly SessionRow[]): void {
  db.exec('DROP TABLE session');
  createList(db);
  const insert = db.prepare('INSERT INTO session (id, numero, leaving) VALUES (?, ?, ?)');
  for (const { id, numero, leaving } of rows) insert.run(id, numero, leaving ? 1 : 0);
}

/** Returns the id of the key with which all values are encrypted; null if they are not. */
export function readKeyId(db: Database): string | null {
  const { id } = columnsOf(db.prepare('SELECT id FROM key').get());
  return typeof id === 'string' ? id : null;
}

/**
 * Rewrites every value with another cipher. Run it in a transaction, and empty the journal afterwards. Throws a {@link
 * DecryptionError} as well.
 */
export function changeCipher(db: Database, from: Cipher, to: Cipher): void {
  for (const row of readList(db)) {
    for (const of of BELONGINGS) {
      const keys = new KeyTable(db, row, from, of).all();
      const table = new KeyTable(db, row, to, of);
      table.empty();
      table.putAll(keys);
    }
  }
  db.exec('DELETE FROM key');
  db.prepare('INSERT INTO key (id) VALUES (?)').run(to.id);
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
