import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from 'libsql';
import { StoreError } from '../sessions/errors.ts';
import type { Archive } from './archive.ts';
import { busy, emptyJournal, inTransaction } from './database.ts';
import { Disk, type DiskObserver, unlessStoreFails } from './disk.ts';
import { type OpenStore, openStore } from './open-store.ts';
import type { KeyChange, SessionKeys, SessionStore, StoredSession } from './session-store.ts';
import { SqliteArchive } from './sqlite-archive.ts';
import { BELONGINGS, type Belongings, KeyTable, replaceList, type SessionRow } from './tables.ts';

/** How long a deletion waits for a backup under way, and the interval between its checks, in milliseconds. */
const BACKUP = { wait: 10_000, look: 100 };

export interface StoreOptions {
  /** File with the key that encrypts the values; see `WhatsappOptions`. Default: they are not encrypted. */
  readonly keyFile?: string | undefined;
  /** Receives the duration of each disk operation. */
  readonly onDiskTask?: DiskObserver | undefined;
}

/**
 * The sessions and their keys, in one SQLite file that only its owner may read. Every write is on the disk before its
 * call returns. No removed data stays in the files.
 */
export class SqliteStore implements SessionStore {
  readonly archive: Archive;
  readonly #store: OpenStore;
  readonly #db: Database;
  readonly #list: SessionList;
  readonly #disk: Disk;
  /** Numeros whose keys are void, but could not be erased yet. */
  readonly #void = new Set<string>();
  /** Numeros of which only the number is kept: see {@link unlist}. */
  readonly #unlisted = new Set<string>();
  #open = true;

  private constructor(store: OpenStore, disk: Disk) {
    this.#store = store;
    this.#db = store.db;
    this.#list = new SessionList(store.db, store.rows);
    this.#disk = disk;
    this.archive = new SqliteArchive({
      disk,
      table: (numero) => {
        const row = this.#open && !this.#unlisted.has(numero) ? this.#list.get(numero) : undefined;
        return row && this.#table(row, 'archive');
      },
      atomically: (task) => inTransaction(this.#db, task),
    });
  }

  /**
   * Opens the store in `folder`, or creates it. Rejects with a `FolderError`.
   *
   * @param print operator log: one sentence per call
   */
  static async open(
    folder: string,
    print: (sentence: string) => void,
    { keyFile, onDiskTask }: StoreOptions = {},
  ): Promise<SqliteStore> {
    const store = await openStore(folder, keyFile);
    if (store.unfinished) print(store.unfinished);
    return new SqliteStore(store, new Disk(print, onDiskTask));
  }

  get isOpen(): boolean {
    return this.#open;
  }

  sessions(): StoredSession[] {
    return this.#list.rows.map(({ numero, leaving }) => ({ numero, leaving }));
  }

  has(numero: string): boolean {
    return this.#list.get(numero) !== undefined;
  }

  async add(numero: string): Promise<void> {
    if (!this.#open) return;
    const row = this.#list.get(numero);
    // Without a write, a linked session starts even on a full disk.
    if (row && !row.leaving) return;
    this.#disk.write('start', numero, () => {
      if (row) this.#list.mark([numero], false);
      else {
        this.#list.addAll([numero], (added) => {
          for (const of of BELONGINGS) this.#table(added, of).create();
        });
      }
    });
    this.#unlisted.delete(numero);
  }

  /** Adds the sessions that are not stored, in one transaction. Throws a `StoreError`. */
  addAll(numeros: readonly string[]): void {
    const [first, ...others] = numeros.filter((numero) => !this.has(numero));
    if (!this.#open || first === undefined) return;
    this.#disk.write('start', first, () => {
      this.#list.addAll([first, ...others], (added) => {
        for (const of of BELONGINGS) this.#table(added, of).create();
      });
    });
  }

  /** Whether a session is stored, and not being deleted. */
  isListed(numero: string): boolean {
    return this.#list.get(numero)?.leaving === false;
  }

  /** Throws a `StoreError` if void keys are still there, and cannot be erased. */
  keys(numero: string): SessionKeys {
    if (this.#void.has(numero)) this.#eraseVoid(numero);
    const table = this.#keys(numero);
    return {
      first: ({ type, id }) => this.#disk.read('read-credentials', numero, () => table.get(type, id)),
      get: async (type, ids) => {
        if (!this.#open) return new Map();
        return this.#disk.read('read-keys', numero, () => valuesOf(table, type, ids));
      },
      write: async (changes) => {
        if (!this.#open || !this.has(numero)) return;
        this.#disk.write('write-keys', numero, () => writeAll(this.#db, table, changes));
      },
    };
  }

  async leave(numero: string): Promise<void> {
    if (!this.#open || !this.has(numero)) return;
    this.#disk.write('delete', numero, () => this.#list.mark([numero], true));
  }

  /**
   * Keeps only the fact that sessions were deleted, until they are added again. Resolves when no other data of them is
   * left where others could read it.
   */
  async unlist(numeros: readonly string[]): Promise<void> {
    const [first, ...others] = numeros.filter((numero) => this.has(numero));
    if (!this.#open || first === undefined) return;
    this.#disk.write('erase', first, () =>
      this.#list.mark([first, ...others], true, (row) => {
        for (const of of BELONGINGS) this.#table(row, of).empty();
      }),
    );
    for (const numero of [first, ...others]) this.#unlisted.add(numero);
    await this.#emptyJournal(first);
  }

  async erase(numero: string): Promise<void> {
    if (!this.#open || !this.has(numero)) return;
    this.#void.add(numero);
    unlessStoreFails(() => {
      this.#eraseVoid(numero);
      void this.#emptyJournal(numero).catch((error: unknown) => {
        // Already logged; the next deletion tries again.
        if (!(error instanceof StoreError)) throw error;
      });
    });
  }

  async remove(numero: string): Promise<void> {
    if (!this.#open) return;
    if (this.has(numero)) {
      this.#disk.write('erase', numero, () =>
        this.#list.remove(numero, (removed) => {
          for (const of of BELONGINGS) this.#table(removed, of).drop();
        }),
      );
      this.#void.delete(numero);
    }
    // Even if it is not on the list: a start that failed on a full disk may have left something there.
    await this.#emptyJournal(numero);
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#store.close();
  }

  #keys(numero: string): KeyTable {
    const row = this.#list.get(numero);
    if (!row) throw new Error('The session is not on the list');
    return this.#table(row);
  }

  #table(row: SessionRow, of?: Belongings): KeyTable {
    return new KeyTable(this.#db, row, this.#store.cipher, of);
  }

  #eraseVoid(numero: string): void {
    const keys = this.#keys(numero);
    this.#disk.write('erase', numero, () => inTransaction(this.#db, () => keys.empty()));
    this.#void.delete(numero);
  }

  /** Waits while another process reads the journal, as a backup does. SQLite's own wait would block all sessions. */
  async #emptyJournal(numero: string): Promise<void> {
    const deadline = Date.now() + BACKUP.wait;
    let isEmpty = false;
    while (this.#open) {
      this.#disk.write('empty-journal', numero, () => {
        isEmpty = emptyJournal(this.#db);
        if (!isEmpty && Date.now() >= deadline) throw busy();
      });
      if (isEmpty) return;
      await wait(BACKUP.look);
    }
  }
}

function valuesOf(table: KeyTable, type: string, ids: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const id of ids) {
    const value = table.get(type, id);
    if (value !== undefined) found.set(id, value);
  }
  return found;
}

function writeAll(db: Database, table: KeyTable, changes: readonly KeyChange[]): void {
  inTransaction(db, () => {
    for (const { type, id, value } of changes) {
      if (value === undefined) table.delete(type, id);
      else table.put(type, id, value);
    }
  });
}

/** The stored sessions, in the order in which they were added; every change is written first. */
class SessionList {
  readonly #db: Database;
  #rows: readonly SessionRow[] = [];
  #byNumero: ReadonlyMap<string, SessionRow> = new Map();

  constructor(db: Database, rows: readonly SessionRow[]) {
    this.#db = db;
    this.#take(rows);
  }

  get rows(): readonly SessionRow[] {
    return this.#rows;
  }

  get(numero: string): SessionRow | undefined {
    return this.#byNumero.get(numero);
  }

  /** Adds sessions, and runs `also` for each in the same transaction. Throws SQLite's error. */
  addAll(numeros: readonly string[], also: (row: SessionRow) => void): void {
    const last = this.#rows.reduce((highest, { id }) => Math.max(highest, id), 0);
    const added = numeros.map((numero, index) => ({ id: last + 1 + index, numero, leaving: false }));
    this.#replace([...this.#rows, ...added], () => added.forEach(also));
  }

  /** Marks sessions, and runs `also` for each in the same transaction. Throws SQLite's error. */
  mark(numeros: readonly string[], leaving: boolean, also: (row: SessionRow) => void = () => {}): void {
    const marked = new Set(numeros);
    this.#replace(
      this.#rows.map((row) => (marked.has(row.numero) ? { ...row, leaving } : row)),
      () => {
        for (const row of this.#rows) if (marked.has(row.numero)) also(row);
      },
    );
  }

  /** Removes a session, and runs `also` in the same transaction. Throws SQLite's error. */
  remove(numero: string, also: (row: SessionRow) => void): void {
    const removed = this.get(numero);
    this.#replace(
      this.#rows.filter((row) => row !== removed),
      () => removed && also(removed),
    );
  }

  #replace(rows: readonly SessionRow[], also = () => {}): void {
    inTransaction(this.#db, () => {
      also();
      replaceList(this.#db, rows);
    });
    this.#take(rows);
  }

  #take(rows: readonly SessionRow[]): void {
    this.#rows = rows;
    this.#byNumero = new Map(rows.map((row) => [row.numero, row]));
  }
}
