import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from 'libsql';
import { HISTORY, KEPT, LINK, PROFILE } from './archive.ts';
import type { AddedSession, Change, Claim, Driver, Row, Table } from './driver.ts';
import { Ledger } from './ledger.ts';
import { type OpenStore, openStore } from './open-store.ts';
import type { DiskObserver } from './operations.ts';
import { busy, emptyJournal, inTransaction } from './sqlite-file.ts';
import { columnsOf, createTables, dropTable, readList, replaceList } from './tables.ts';

/** How long a deletion waits for a backup under way, and the interval between its checks, in milliseconds. */
const BACKUP = { wait: 10_000, look: 100 };

export interface FileOptions {
  /** File with the key that encrypts the values; see `WhatsappOptions`. Default: they are not encrypted. */
  readonly keyFile?: string | undefined;
  /** Receives the duration of each operation. */
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
  const store = await openStore(folder, keyFile);
  if (store.unfinished) print(store.unfinished);
  const ledger = new Ledger(new Sqlite(store), { cipher: store.cipher, print, onDiskTask });
  await ledger.take(store.rows.map(({ id, ...row }) => ({ ...row, epoch: String(id) })));
  return ledger;
}

/**
 * Stores the rows in one SQLite file that only its owner may read, and that only this process writes: claims need no
 * check. Every write is on the disk before its call returns. The epoch of a claim is the id of its session.
 */
class Sqlite implements Driver {
  readonly place = 'disk';
  readonly isUsable = true;
  readonly #store: OpenStore;
  readonly #db: Database;
  #isClosed = false;

  constructor(store: OpenStore) {
    this.#store = store;
    this.#db = store.db;
  }

  one(claim: Claim, type: string): Row | undefined {
    const table = nameOf(claim, type === PROFILE.type || type === LINK ? 'archive' : 'key');
    const [row] = this.#db.prepare(`SELECT type, id, value FROM ${table} WHERE type = ?`).all(type);
    return row === undefined ? undefined : rowOf(row);
  }

  async add(numeros: readonly string[]): Promise<AddedSession[]> {
    return this.#write(() => {
      const rows = readList(this.#db);
      const last = rows.at(-1)?.id ?? 0;
      const added = numeros.map((numero, index) => ({ id: last + 1 + index, numero, leaving: false }));
      for (const { id } of added) createTables(this.#db, id);
      replaceList(this.#db, [...rows, ...added]);
      return added.map(({ id, ...row }) => ({ ...row, epoch: String(id), isNew: true }));
    });
  }

  async mark({ epoch }: Claim, leaving: boolean): Promise<boolean> {
    return this.#write(() => {
      const rows = readList(this.#db);
      const marked = rows.map((row) => (String(row.id) === epoch ? { ...row, leaving } : row));
      replaceList(this.#db, marked);
      return true;
    });
  }

  async keys(claim: Claim, type: string, ids: readonly string[]): Promise<Row[]> {
    const query = this.#db.prepare(
      `SELECT value, type, id FROM ${nameOf(claim, 'key')} WHERE type = ? AND id = ?`,
    );
    return ids.flatMap((id) => {
      const row = query.get(type, id);
      return row === undefined ? [] : rowOf(row);
    });
  }

  async write(claim: Claim, changes: readonly Change[]): Promise<boolean> {
    const table = nameOf(claim, 'key');
    return this.#write(() => {
      const put = this.#put(table);
      const gone = this.#db.prepare(`DELETE FROM ${table} WHERE type = ? AND id = ?`);
      for (const { type, id, value } of changes) {
        if (value === undefined) gone.run(type, id);
        else put({ type, id, value });
      }
      return true;
    });
  }

  async erase(claims: readonly Claim[], tables: readonly Table[]): Promise<boolean> {
    return this.#write(() => {
      for (const { epoch } of claims) {
        for (const table of tables) dropTable(this.#db, Number(epoch), table);
        createTables(this.#db, Number(epoch));
      }
      return true;
    });
  }

  async remove({ epoch }: Claim): Promise<boolean> {
    return this.#write(() => {
      for (const table of ['key', 'archive'] as const) dropTable(this.#db, Number(epoch), table);
      replaceList(
        this.#db,
        readList(this.#db).filter(({ id }) => String(id) !== epoch),
      );
      return true;
    });
  }

  async replace(claim: Claim, type: string, row: Row | undefined): Promise<boolean> {
    const table = nameOf(claim, 'archive');
    return this.#write(() => {
      this.#db.prepare(`DELETE FROM ${table} WHERE type = ? AND id <> ?`).run(type, row?.id ?? '');
      if (row) this.#put(table)(row);
      return true;
    });
  }

  async record(rows: readonly (readonly [claim: Claim, row: Row])[]): Promise<void> {
    // One transaction for all: each waits for the disk.
    this.#write(() => {
      for (const [claim, row] of rows) this.#put(nameOf(claim, 'archive'))(row);
    });
  }

  async history(claim: Claim, before: string, limit: number): Promise<Row[]> {
    return this.#db
      .prepare(
        `SELECT type, id, value FROM ${nameOf(claim, 'archive')} WHERE type = ? AND id < ?
         ORDER BY id DESC LIMIT ?`,
      )
      .all(HISTORY, before, limit)
      .map(rowOf);
  }

  async prune(claims: readonly Claim[], old: string): Promise<void> {
    this.#write(() => {
      for (const claim of claims) {
        const table = nameOf(claim, 'archive');
        const newest = `SELECT id FROM ${table} WHERE type = ? ORDER BY id DESC LIMIT 1 OFFSET ?`;
        this.#db
          .prepare(
            `DELETE FROM ${table} WHERE type = ?
             AND (id <= (${newest}) OR id <= (${newest}) AND id < ?)`,
          )
          .run(HISTORY, HISTORY, KEPT.entries, HISTORY, KEPT.always, old);
      }
    });
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  /** Waits while another process reads the journal, as a backup does. SQLite's own wait would block all sessions. */
  async scrub(): Promise<void> {
    const deadline = Date.now() + BACKUP.wait;
    while (!this.#isClosed && !emptyJournal(this.#db)) {
      if (Date.now() >= deadline) throw busy();
      await wait(BACKUP.look);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#store.close();
  }

  #write<T>(task: () => T): T {
    return inTransaction(this.#db, task);
  }

  #put(table: string): (row: Row) => void {
    const put = this.#db.prepare(
      `INSERT INTO ${table} (type, id, value, key) VALUES (?, ?, ?, ?)
       ON CONFLICT (type, id) DO UPDATE SET value = excluded.value, key = excluded.key`,
    );
    return ({ type, id, value }) => void put.run(type, id, value, this.#store.cipher.id);
  }
}

function nameOf({ epoch }: Claim, table: Table): string {
  return `${table === 'key' ? 'keys' : table}_${epoch}`;
}

function rowOf(row: unknown): Row {
  const { type, id, value } = columnsOf(row);
  return { type: String(type), id: String(id), value: String(value) };
}
