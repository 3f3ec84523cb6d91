import type { Database } from 'libsql';
import { HISTORY, KEPT, PARTS } from './archive.ts';
import { PLAIN } from './cipher.ts';
import type { ArchiveRow, Claim, Driver } from './driver.ts';
import { cipherOfFile } from './key-file.ts';
import { Ledger } from './ledger.ts';
import type { DiskObserver } from './operations.ts';
import {
  type Change,
  type ConfirmedVersion,
  type Row,
  TABLES,
  type Table,
  type TakenSession,
  type Told,
} from './row.ts';
import {
  addRows,
  addToList,
  connect,
  createTables,
  emptyJournal,
  inTransaction,
  openStore,
  readRows,
  readTold,
  readVersionRow,
  replaceTold,
} from './sqlite-store.ts';

export interface FileOptions {
  /** File with the key that encrypts the values; see `WhatsappOptions`. Default: they are not encrypted. */
  readonly keyFile?: string | undefined;
  readonly onDiskTask?: DiskObserver | undefined;
}

/**
 * Opens the ledger in `folder`, or creates it. Rejects with a `FolderError`.
 *
 * @param print operator log: one sentence per call
 */
export async function openLedger(
  folder: string,
  print: (sentence: string) => void,
  { keyFile, onDiskTask }: FileOptions = {},
): Promise<Ledger> {
  const cipher = cipherOfFile(keyFile);
  const { db, sessions, close } = await openStore(folder, cipher);
  const ledger = new Ledger(new Sqlite(db, close), { cipher, print, onDiskTask });
  await ledger.take(sessions.map(({ id, ...session }) => ({ ...session, epoch: String(id) })));
  return ledger;
}

/** Returns a ledger of sessions that end with the process. */
export async function memoryLedger(): Promise<Ledger> {
  const db = await connect(':memory:');
  createTables(db, PLAIN);
  return new Ledger(new Sqlite(db, () => db.close()), { cipher: PLAIN, print: () => {} });
}

/**
 * Stores the rows in one SQLite file that only its owner may read, and that only this process writes: claims need no
 * check. Every write is on the disk before its call returns. The epoch of a claim is the id of its session.
 */
export class Sqlite implements Driver {
  readonly isUsable = true;
  readonly #db: Database;
  readonly close: () => void;

  constructor(db: Database, close: () => void) {
    this.#db = db;
    this.close = close;
  }

  one({ epoch }: Claim, type: string): Row | undefined {
    const table: Table = PARTS.includes(type) ? 'archive' : 'key';
    return readRows(this.#db, `${table} WHERE session = ? AND type = ? LIMIT 1`, Number(epoch), type)[0];
  }

  async add(numeros: readonly string[]): Promise<TakenSession[]> {
    return inTransaction(this.#db, () =>
      numeros.map((numero) => ({ numero, leaving: false, epoch: String(addToList(this.#db, numero)) })),
    );
  }

  async keys({ epoch }: Claim, type: string, ids: readonly string[]): Promise<Row[]> {
    const row = 'key WHERE session = ? AND type = ? AND id = ?';
    return ids.flatMap((id) => readRows(this.#db, row, Number(epoch), type, id));
  }

  async write({ epoch }: Claim, table: Table, changes: readonly Change[]): Promise<boolean> {
    if (changes.length === 0) return true;
    return inTransaction(this.#db, () => {
      const gone = this.#db.prepare(`DELETE FROM ${table} WHERE session = ? AND type = ? AND id = ?`);
      const rows: Row[] = [];
      for (const { type, id, value } of changes) {
        if (value === undefined) gone.run(Number(epoch), type, id);
        else rows.push({ type, id, value });
      }
      addRows(this.#db, table, Number(epoch), rows);
      return true;
    });
  }

  async mark({ epoch }: Claim, leaving: boolean, erased: readonly Table[]): Promise<boolean> {
    inTransaction(this.#db, () => {
      this.#db.prepare('UPDATE session SET leaving = ? WHERE id = ?').run(leaving ? 1 : 0, Number(epoch));
      for (const table of erased) this.#empty(table, epoch);
    });
    if (erased.length > 0) emptyJournal(this.#db);
    return true;
  }

  async remove({ epoch }: Claim): Promise<boolean> {
    inTransaction(this.#db, () => {
      for (const table of TABLES) this.#empty(table, epoch);
      this.#db.prepare('DELETE FROM session WHERE id = ?').run(Number(epoch));
    });
    emptyJournal(this.#db);
    return true;
  }

  async record(rows: readonly ArchiveRow[]): Promise<void> {
    // One transaction for all: each waits for the disk.
    inTransaction(this.#db, () => {
      for (const [{ epoch }, row] of rows) addRows(this.#db, 'archive', Number(epoch), [row]);
    });
  }

  async history({ epoch }: Claim, before: string, limit: number): Promise<Row[]> {
    const entries = 'archive WHERE session = ? AND type = ? AND id < ? ORDER BY id DESC LIMIT ?';
    return readRows(this.#db, entries, Number(epoch), HISTORY, before, limit);
  }

  async prune(claims: readonly Claim[], old: string): Promise<void> {
    const newest = 'SELECT id FROM archive WHERE session = ?1 AND type = ?2 ORDER BY id DESC LIMIT 1 OFFSET';
    inTransaction(this.#db, () => {
      const prune = this.#db.prepare(
        `DELETE FROM archive WHERE session = ?1 AND type = ?2
         AND (id <= (${newest} ?3) OR id <= (${newest} ?4) AND id < ?5)`,
      );
      for (const { epoch } of claims) prune.run(Number(epoch), HISTORY, KEPT.entries, KEPT.always, old);
    });
  }

  async version(): Promise<ConfirmedVersion | undefined> {
    return readVersionRow(this.#db);
  }

  async keepVersion({ version, confirmed }: ConfirmedVersion): Promise<void> {
    this.#db.prepare('INSERT OR REPLACE INTO client VALUES (1, ?, ?)').run([version, confirmed]);
  }

  async told(channel: string): Promise<Told | undefined> {
    return readTold(this.#db).find((told) => told.channel === channel);
  }

  async keepTold(channel: string, told: Told): Promise<boolean> {
    replaceTold(this.#db, channel, told);
    return true;
  }

  #empty(table: Table, epoch: string): void {
    this.#db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(Number(epoch));
  }
}
