import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'libsql';
import { Credentials } from './credentials.ts';
import type { Library } from './library.ts';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS session (
    numero TEXT NOT NULL UNIQUE,
    -- The account's own keys, as JSON, once a phone is linked.
    creds TEXT,
    -- 1 once it was deleted, until WhatsApp knows of it.
    leaving INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE IF NOT EXISTS key (
    numero TEXT NOT NULL,
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (numero, type, id)
  ) STRICT, WITHOUT ROWID;
`;

export interface StoredSession {
  readonly numero: string;
  readonly leaving: boolean;
}

/** A folder that cannot be used; the message is one sentence for whoever chose it. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}

/**
 * The sessions and their credentials, in one SQLite file that only its owner may read. Every write is on the
 * disk before its call returns, whole or not at all: whatever ends the process, no linked session is lost. Once
 * closed it writes nothing more, since the library goes on for a moment after its end.
 */
export class Store {
  readonly #db: Database;
  readonly #library: Library;
  readonly #print: (sentence: string) => void;
  readonly #credentials = new Map<string, Credentials>();
  #open = true;

  private constructor(db: Database, library: Library, print: (sentence: string) => void) {
    this.#db = db;
    this.#library = library;
    this.#print = print;
  }

  /**
   * Opens the store in `folder`, making what is missing. Rejects with a {@link StoreError}.
   * @param print tells whoever runs the gateway that something cannot be kept
   */
  static async open(folder: string, library: Library, print: (sentence: string) => void): Promise<Store> {
    const { default: LibsqlDatabase } = await import('libsql');
    try {
      return new Store(prepare(new LibsqlDatabase(createFile(folder))), library, print);
    } catch (error) {
      throw storeError(folder, error);
    }
  }

  /** Every session that was added and not removed, in that order. */
  sessions(): StoredSession[] {
    const rows = this.#db.prepare('SELECT numero, leaving FROM session ORDER BY rowid').all();
    return rows.flatMap((row) => {
      if (typeof row !== 'object' || row === null || !('numero' in row) || !('leaving' in row)) return [];
      return [{ numero: String(row.numero), leaving: row.leaving === 1 }];
    });
  }

  /** Keeps the session on the list; one that was being removed is there again. */
  add(numero: string): void {
    if (!this.#open) return;
    this.#db
      .prepare('INSERT INTO session (numero) VALUES (?) ON CONFLICT (numero) DO UPDATE SET leaving = 0')
      .run(numero);
  }

  /** The credentials of the session; the same object until they are erased. */
  credentials(numero: string): Credentials {
    const known = this.#credentials.get(numero);
    if (known) return known;
    const credentials = new Credentials(numero, this.#db, this.#library, (error) => {
      const reason = error instanceof Error && 'code' in error ? error.code : 'unknown';
      this.#print(`The keys of ${numero} could not be written to the disk (${reason}).`);
    });
    this.#credentials.set(numero, credentials);
    return credentials;
  }

  /** Marks the session as deleted, so that a restart goes on deleting it instead of bringing it back. */
  leave(numero: string): void {
    if (!this.#open) return;
    this.#db.prepare('UPDATE session SET leaving = 1 WHERE numero = ?').run(numero);
  }

  /** Erases the credentials of the session; what is still written to them is dropped. */
  erase(numero: string): void {
    this.#erase(numero, 'UPDATE session SET creds = NULL WHERE numero = ?');
  }

  /** Erases the session with its credentials. */
  remove(numero: string): void {
    this.#erase(numero, 'DELETE FROM session WHERE numero = ?');
  }

  #erase(numero: string, statement: string): void {
    if (!this.#open) return;
    this.#credentials.get(numero)?.drop();
    this.#credentials.delete(numero);
    this.#db.transaction(() => {
      this.#db.prepare(statement).run(numero);
      this.#db.prepare('DELETE FROM key WHERE numero = ?').run(numero);
    })();
    // Until then it is still in the journal.
    this.#db.pragma('wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const credentials of this.#credentials.values()) credentials.drop();
    try {
      // Closing alone would keep the file locked until every statement is collected as garbage. The lock is given
      // back by a write, and only without the journal, which goes into the file here.
      this.#db.pragma('journal_mode = DELETE');
      this.#db.pragma('locking_mode = NORMAL');
      this.#db.exec('BEGIN IMMEDIATE; COMMIT');
    } catch {
      // The disk is full, or the folder gone: then the journal stays, and whatever could be kept is in it.
    } finally {
      this.#db.close();
    }
  }
}

/** SQLite gives its journals the mode of the file, so it is set before there are any. */
function createFile(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'sessions.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
}

function prepare(db: Database): Database {
  // Two gateways with the same credentials would throw each other out of WhatsApp for ever.
  db.pragma('locking_mode = EXCLUSIVE');
  db.pragma('journal_mode = WAL');
  // A power cut right after a phone was linked must not lose it.
  db.pragma('synchronous = FULL');
  // What is deleted is overwritten.
  db.pragma('secure_delete = ON');
  db.exec(SCHEMA);
  return db;
}

function storeError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'SQLITE_BUSY') {
    return new StoreError(`Another gateway is using the folder '${folder}': choose another with --data.`);
  }
  return new StoreError(`The folder '${folder}' cannot be used for the sessions (${error.message}).`);
}
