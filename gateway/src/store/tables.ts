import type { Database } from 'libsql';

/*
 * SQLite overwrites deleted rows, but moving rows within a page leaves copies behind. Only dropping a table leaves
 * nothing, since all its pages are overwritten. So each session has its own table for its keys, the list of sessions is
 * rewritten as a whole, and no table name contains a numero.
 */

/** The key under which the credentials are stored. */
export const CREDENTIALS = { type: 'creds', id: '' };

/** The keys of one session, as text. Every method throws SQLite's error. */
export class KeyTable {
  readonly #db: Database;
  readonly #name: string;

  /** @param id the session's id in the list */
  constructor(db: Database, id: number) {
    this.#db = db;
    this.#name = `keys_${id}`;
  }

  create(): void {
    this.#db.exec(
      `CREATE TABLE ${this.#name} (
        type TEXT NOT NULL,
        id TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (type, id)
      ) STRICT, WITHOUT ROWID`,
    );
  }

  drop(): void {
    this.#db.exec(`DROP TABLE IF EXISTS ${this.#name}`);
  }

  get(type: string, id: string): string | undefined {
    const row = this.#db.prepare(`SELECT value FROM ${this.#name} WHERE type = ? AND id = ?`).get(type, id);
    const { value } = columnsOf(row);
    return typeof value === 'string' ? value : undefined;
  }

  put(type: string, id: string, value: string): void {
    this.#db
      .prepare(
        `INSERT INTO ${this.#name} (type, id, value) VALUES (?, ?, ?)
         ON CONFLICT (type, id) DO UPDATE SET value = excluded.value`,
      )
      .run(type, id, value);
  }

  delete(type: string, id: string): void {
    this.#db.prepare(`DELETE FROM ${this.#name} WHERE type = ? AND id = ?`).run(type, id);
  }
}

/** A row of the session list. */
export interface SessionRow {
  readonly id: number;
  readonly numero: string;
  /** Whether it was deleted, but not unlinked yet. */
  readonly leaving: boolean;
}

export function createList(db: Database): void {
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

export function hasTable(db: Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(name) !== undefined;
}

/** Returns the columns of a row by name. */
export function columnsOf(row: unknown): Record<string, unknown> {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}
