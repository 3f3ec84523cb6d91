import type { Database } from 'libsql';
import { Credentials } from './credentials.ts';
import { closeDatabase, emptyJournal, inTransaction, openDatabase } from './database.ts';
import { Disk, reasonOf, unlessDiskFails } from './disk.ts';
import { folderError, prepareFolder } from './folder.ts';
import type { Library } from './library.ts';
import { SessionList } from './session-list.ts';
import { KeyTable } from './tables.ts';

export interface StoredSession {
  readonly numero: string;
  readonly leaving: boolean;
}

/**
 * The sessions and their credentials, in one SQLite file that only its owner may read. Every write is on the
 * disk before its call returns, whole or not at all: whatever ends the process, no linked session is lost. Of what
 * was removed nothing is left in the files. What the disk does not do is printed, and throws a `StoreError` where
 * nothing else is said. Once closed it writes nothing more, since the library goes on for a moment after its end.
 */
export class Store {
  readonly #db: Database;
  readonly #list: SessionList;
  readonly #library: Library;
  readonly #disk: Disk;
  readonly #credentials = new Map<string, Credentials>();
  /** Whose credentials on the disk mean nothing any more, but could not be erased. */
  readonly #void = new Set<string>();
  #open = true;

  private constructor(db: Database, list: SessionList, library: Library, print: (sentence: string) => void) {
    this.#db = db;
    this.#list = list;
    this.#library = library;
    this.#disk = new Disk(print);
  }

  /**
   * Opens the store in `folder`, making what is missing. Rejects with a `FolderError`.
   * @param print tells whoever runs the gateway what the disk did not do
   */
  static async open(folder: string, library: Library, print: (sentence: string) => void): Promise<Store> {
    try {
      const db = await openDatabase(prepareFolder(folder));
      const list = readOrClose(db);
      finishErasing(db, print);
      return new Store(db, list, library, print);
    } catch (error) {
      throw folderError(folder, error);
    }
  }

  get isOpen(): boolean {
    return this.#open;
  }

  /** Every session that was added and not removed, in that order. */
  sessions(): StoredSession[] {
    return this.#list.rows.map(({ numero, leaving }) => ({ numero, leaving }));
  }

  has(numero: string): boolean {
    return this.#list.get(numero) !== undefined;
  }

  /** Keeps the session on the list; one that was being removed is there again. */
  add(numero: string): void {
    if (!this.#open) return;
    const row = this.#list.get(numero);
    // Nothing is written for one that is there: a linked session starts on a full disk too.
    if (row && !row.leaving) return;
    this.#disk.write('start', numero, () => {
      if (row) this.#list.mark(numero, false);
      else this.#list.add(numero, ({ id }) => new KeyTable(this.#db, id).create());
    });
  }

  /** The credentials of a session on the list; the same object until they are erased. */
  credentials(numero: string): Credentials {
    const known = this.#credentials.get(numero);
    if (known) return known;
    if (this.#void.has(numero)) this.#eraseVoid(numero);
    const credentials = new Credentials(numero, this.#db, this.#keys(numero), this.#library, this.#disk);
    this.#credentials.set(numero, credentials);
    return credentials;
  }

  /** Marks the session as deleted, so that a restart goes on deleting it instead of bringing it back. */
  leave(numero: string): void {
    if (!this.#open || !this.has(numero)) return;
    this.#disk.write('delete', numero, () => this.#list.mark(numero, true));
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
    if (!this.#open || !this.has(numero)) return;
    this.discard(numero);
    this.#void.add(numero);
    unlessDiskFails(() => {
      this.#eraseVoid(numero);
      this.#emptyJournal(numero);
    });
  }

  /** Erases the session with its credentials. Once it returns, nothing of them is left in the files. */
  remove(numero: string): void {
    if (!this.#open) return;
    this.discard(numero);
    if (this.has(numero)) {
      const keys = this.#keys(numero);
      this.#disk.write('erase', numero, () => this.#list.remove(numero, () => keys.drop()));
      this.#void.delete(numero);
    }
    // Of one that is not on the list something may be left there too: a full disk has taken half of its start.
    this.#emptyJournal(numero);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const credentials of this.#credentials.values()) credentials.drop();
    closeDatabase(this.#db);
  }

  #keys(numero: string): KeyTable {
    const row = this.#list.get(numero);
    if (!row) throw new Error('The session is not on the list');
    return new KeyTable(this.#db, row.id);
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

  #emptyJournal(numero: string): void {
    this.#disk.write('empty-journal', numero, () => emptyJournal(this.#db));
  }
}

function readOrClose(db: Database): SessionList {
  try {
    return new SessionList(db);
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

/** The gateway before this one may have ended between the end of a deletion and that of its traces. */
function finishErasing(db: Database, print: (sentence: string) => void): void {
  try {
    emptyJournal(db);
  } catch (error) {
    print(`What was erased may still be in the journal on the disk (${reasonOf(error)}).`);
  }
}
