import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from 'libsql';
import type { Library } from '../engines/whatsapp/library.ts';
import { StoreError } from '../sessions/errors.ts';
import { DeviceCredentials } from './credentials.ts';
import { busy, emptyJournal, inTransaction } from './database.ts';
import { Disk, type DiskObserver, unlessDiskFails } from './disk.ts';
import { type OpenStore, openStore } from './open-store.ts';
import { KeyTable, replaceList, type SessionRow } from './tables.ts';

/** How long a deletion waits for a backup that is being made, and how often it looks, in milliseconds. */
const BACKUP = { wait: 10_000, look: 100 };

export interface StoreOptions {
  /** File with the key that encrypts the values; see `WhatsappOptions`. Default: they lie there as they are. */
  readonly keyFile?: string | undefined;
  /** Receives the duration of each disk operation. */
  readonly onDiskTask?: DiskObserver | undefined;
}

export interface StoredSession {
  readonly numero: string;
  readonly leaving: boolean;
}

/**
 * The sessions and their credentials, in one SQLite file that only its owner may read.
 *
 * Every write is atomic, and on the disk before its call returns: whatever ends the process, no linked session is lost.
 * Nothing of what was removed stays in the files. A failed operation is logged and, unless noted otherwise, throws a
 * `StoreError`. After `close` nothing is written, since the library may go on for a moment.
 */
export class SqliteStore {
  readonly #store: OpenStore;
  readonly #db: Database;
  readonly #list: SessionList;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #credentials = new Map<string, DeviceCredentials>();
  /** Numeros whose credentials are void, but could not be erased yet. */
  readonly #void = new Set<string>();
  #open = true;

  private constructor(store: OpenStore, library: Library, disk: Disk) {
    this.#store = store;
    this.#db = store.db;
    this.#list = new SessionList(store.db, store.rows);
    this.#library = library;
    this.#disk = disk;
  }

  /**
   * Opens the store in `folder`, creating what is missing. Rejects with a `FolderError`.
   *
   * @param print operator log: one sentence per call
   */
  static async open(
    folder: string,
    library: Library,
    print: (sentence: string) => void,
    { keyFile, onDiskTask }: StoreOptions = {},
  ): Promise<SqliteStore> {
    const store = await openStore(folder, keyFile);
    if (store.unfinished) print(store.unfinished);
    return new SqliteStore(store, library, new Disk(print, onDiskTask));
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Returns every session that was added and not removed, the oldest first. */
  sessions(): StoredSession[] {
    return this.#list.rows.map(({ numero, leaving }) => ({ numero, leaving }));
  }

  has(numero: string): boolean {
    return this.#list.get(numero) !== undefined;
  }

  /** Adds a session, or takes back its deletion. */
  add(numero: string): void {
    if (!this.#open) return;
    const row = this.#list.get(numero);
    // Without a write, a linked session starts even on a full disk.
    if (row && !row.leaving) return;
    this.#disk.write('start', numero, () => {
      if (row) this.#list.mark(numero, false);
      else this.#list.add(numero, (added) => this.#table(added).create());
    });
  }

  /** Returns the credentials of a stored session; the same object until they are erased. */
  credentials(numero: string): DeviceCredentials {
    const known = this.#credentials.get(numero);
    if (known) return known;
    if (this.#void.has(numero)) this.#eraseVoid(numero);
    const credentials = new DeviceCredentials(
      numero,
      this.#db,
      this.#keys(numero),
      this.#library,
      this.#disk,
    );
    this.#credentials.set(numero, credentials);
    return credentials;
  }

  /** Marks a session as deleted, so that a restart resumes its deletion instead of restoring it. */
  leave(numero: string): void {
    if (!this.#open || !this.has(numero)) return;
    this.#disk.write('delete', numero, () => this.#list.mark(numero, true));
  }

  /** Drops changes to the credentials that have not been written. */
  discard(numero: string): void {
    this.#credentials.get(numero)?.drop();
    this.#credentials.delete(numero);
  }

  /**
   * Erases the credentials of a session; later writes to them are dropped. If the disk fails, they are erased before
   * the next use instead, and nothing is thrown.
   */
  erase(numero: string): void {
    if (!this.#open || !this.has(numero)) return;
    this.discard(numero);
    this.#void.add(numero);
    unlessDiskFails(() => {
      this.#eraseVoid(numero);
      void this.#emptyJournal(numero).catch((error: unknown) => {
        // Already logged; the next deletion tries again.
        if (!(error instanceof StoreError)) throw error;
      });
    });
  }

  /** Erases a session with its credentials. Resolves when nothing of them is left in the files. */
  async remove(numero: string): Promise<void> {
    if (!this.#open) return;
    this.discard(numero);
    if (this.has(numero)) {
      const keys = this.#keys(numero);
      this.#disk.write('erase', numero, () => this.#list.remove(numero, () => keys.drop()));
      this.#void.delete(numero);
    }
    // Even if it is not on the list: a start that failed on a full disk may have left something there.
    await this.#emptyJournal(numero);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const credentials of this.#credentials.values()) credentials.drop();
    this.#store.close();
  }

  #keys(numero: string): KeyTable {
    const row = this.#list.get(numero);
    if (!row) throw new Error('The session is not on the list');
    return this.#table(row);
  }

  #table(row: SessionRow): KeyTable {
    return new KeyTable(this.#db, row, this.#store.cipher);
  }

  #eraseVoid(numero: string): void {
    const keys = this.#keys(numero);
    this.#disk.write('erase', numero, () =>
      inTransaction(this.#db, () => {
        keys.drop();
        keys.create();
      }),
    );
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

/** The stored sessions, in the order in which they were added; every change is written first. */
class SessionList {
  readonly #db: Database;
  #rows: readonly SessionRow[];

  constructor(db: Database, rows: readonly SessionRow[]) {
    this.#db = db;
    this.#rows = rows;
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
