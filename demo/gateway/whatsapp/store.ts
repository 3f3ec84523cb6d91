import type { Database } from 'libsql';
import { Credentials } from './credentials.ts';
import { closeDatabase, inTransaction, openDatabase } from './database.ts';
import { Disk, StoreError, unlessDiskFails } from './disk.ts';
import type { Library } from './library.ts';

export interface StoredSession {
  readonly numero: string;
  readonly leaving: boolean;
}

/**
 * The sessions and their credentials, in one SQLite file that only its owner may read. Every write is on the
 * disk before its call returns, whole or not at all: whatever ends the process, no linked session is lost. What
 * the disk does not do is printed, and throws a {@link StoreError} where nothing else is said. Once closed it
 * writes nothing more, since the library goes on for a moment after its end.
 */
export class Store {
  readonly #folder: string;
  readonly #db: Database;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #credentials = new Map<string, Credentials>();
  /** Whose credentials on the disk mean nothing any more, but could not be erased. */
  readonly #void = new Set<string>();
  #open = true;

  private constructor(folder: string, db: Database, library: Library, print: (sentence: string) => void) {
    this.#folder = folder;
    this.#db = db;
    this.#library = library;
    this.#disk = new Disk(print);
  }

  /**
   * Opens the store in `folder`, making what is missing.
   * @param print tells whoever runs the gateway what the disk did not do
   */
  static async open(folder: string, library: Library, print: (sentence: string) => void): Promise<Store> {
    try {
      return new Store(folder, await openDatabase(folder), library, print);
    } catch (error) {
      throw folderError(folder, error);
    }
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Every session that was added and not removed, in that order. */
  sessions(): StoredSession[] {
    return this.#rows().flatMap((row) => {
      if (typeof row !== 'object' || row === null || !('numero' in row) || !('leaving' in row)) return [];
      return [{ numero: String(row.numero), leaving: row.leaving === 1 }];
    });
  }

  /** Keeps the session on the list; one that was being removed is there again. */
  add(numero: string): void {
    if (!this.#open) return;
    // Nothing is written for one that is there: a linked session starts on a full disk too.
    const statement = `INSERT INTO session (numero) VALUES (?)
      ON CONFLICT (numero) DO UPDATE SET leaving = 0 WHERE leaving = 1`;
    this.#disk.write(`The start of ${numero} could not be written to the disk`, () =>
      this.#db.prepare(statement).run(numero),
    );
  }

  /** The credentials of the session; the same object until they are erased. */
  credentials(numero: string): Credentials {
    const known = this.#credentials.get(numero);
    if (known) return known;
    if (this.#void.has(numero)) this.#eraseVoid(numero);
    const credentials = new Credentials(numero, this.#db, this.#library, this.#disk);
    this.#credentials.set(numero, credentials);
    return credentials;
  }

  /** Marks the session as deleted, so that a restart goes on deleting it instead of bringing it back. */
  leave(numero: string): void {
    if (!this.#open) return;
    this.#disk.write(`The deletion of ${numero} could not be written to the disk`, () =>
      this.#db.prepare('UPDATE session SET leaving = 1 WHERE numero = ?').run(numero),
    );
  }

  /** Forgets what was learnt of the session and is not on the disk. */
  discard(numero: string): void {
    this.#credentials.get(numero)?.drop();
    this.#credentials.delete(numero);
  }

  /**
   * Erases the credentials of the session; what is still written to them is dropped. Those that the disk does
   * not let go of are erased before they would be used again.
   */
  erase(numero: string): void {
    if (!this.#open) return;
    this.discard(numero);
    this.#void.add(numero);
    unlessDiskFails(() => this.#eraseVoid(numero));
  }

  /** Erases the session with its credentials. */
  remove(numero: string): void {
    if (!this.#open) return;
    this.discard(numero);
    this.#erase(numero, 'DELETE FROM session WHERE numero = ?');
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const credentials of this.#credentials.values()) credentials.drop();
    closeDatabase(this.#db);
  }

  #rows(): unknown[] {
    try {
      return this.#db.prepare('SELECT numero, leaving FROM session ORDER BY rowid').all();
    } catch (error) {
      throw folderError(this.#folder, error);
    }
  }

  #eraseVoid(numero: string): void {
    this.#erase(numero, 'UPDATE session SET creds = NULL WHERE numero = ?');
  }

  #erase(numero: string, statement: string): void {
    this.#disk.write(`The keys of ${numero} could not be erased from the disk`, () =>
      inTransaction(this.#db, () => {
        this.#db.prepare(statement).run(numero);
        this.#db.prepare('DELETE FROM key WHERE numero = ?').run(numero);
      }),
    );
    this.#void.delete(numero);
    // Until then it is still in the journal, which also goes when the gateway ends.
    unlessDiskFails(() =>
      this.#disk.write(`The erased keys of ${numero} are still in the journal on the disk`, () =>
        this.#db.pragma('wal_checkpoint(TRUNCATE)'),
      ),
    );
  }
}

function folderError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'SQLITE_BUSY') {
    return new StoreError(`Another gateway is using the folder '${folder}': choose another with --data.`);
  }
  return new StoreError(`The folder '${folder}' cannot be used for the sessions (${error.message}).`);
}
