import type { Database } from 'libsql';
import { inTransaction } from './database.ts';
import { readList, replaceList, type SessionRow } from './tables.ts';

/** The stored sessions, in the order in which they were added; every change is written first. */
export class SessionList {
  readonly #db: Database;
  #rows: readonly SessionRow[];

  /** Throws SQLite's error. */
  constructor(db: Database) {
    this.#db = db;
    this.#rows = readList(db);
  }

  get rows(): readonly SessionRow[] {
    return this.#rows;
  }

  get(numero: string): SessionRow | undefined {
    return this.#rows.find((row) => row.numero === numero);
  }

  /** Adds a session, and runs `also` in the same transaction. Throws SQLite's error. */
  add(numero: string, also: (row: SessionRow) => void): void {
    const row = { id: 1 + Math.max(0, ...this.#rows.map(({ id }) => id)), numero, leaving: false };
    this.#replace([...this.#rows, row], () => also(row));
  }

  /** Throws SQLite's error. */
  mark(numero: string, leaving: boolean): void {
    this.#replace(this.#rows.map((row) => (row.numero === numero ? { ...row, leaving } : row)));
  }

  /** Removes a session, and runs `also` in the same transaction. Throws SQLite's error. */
  remove(numero: string, also: () => void): void {
    this.#replace(
      this.#rows.filter((row) => row.numero !== numero),
      also,
    );
  }

  #replace(rows: readonly SessionRow[], also = () => {}): void {
    inTransaction(this.#db, () => {
      also();
      replaceList(this.#db, rows);
    });
    this.#rows = rows;
  }
}
