import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from 'libsql';
import { HISTORY, KEPT, PARTS } from './archive.ts';
import type { Claim } from './claim.ts';
import type { ArchiveRow, Driver, NewSession } from './driver.ts';
import { folderError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { Ledger } from './ledger.ts';
import { type OpenStore, openStore } from './open-store.ts';
import type { DiskObserver } from './operations.ts';
import type { Change, ConfirmedVersion, Row, Table, TakenSession, Told } from './row.ts';
import { emptyJournal, inTransaction, sqliteError } from './sqlite-file.ts';
import {
  addToList,
  readList,
  readRows,
  readTold,
  readVersionRow,
  replaceList,
  replaceTold,
  replaceVersionRow,
  rowOf,
  type SessionRow,
} from './tables.ts';

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
  const cipher = cipherOfFile(keyFile);
  try {
    const store = await openStore(folder, cipher);
    if (store.unfinished) print(store.unfinished);
    const ledger = new Ledger(new Sqlite(store), { cipher, print, onDiskTask });
    await ledger.take(readList(store.db).map(takenOf));
    return ledger;
  } catch (error) {
    throw folderError(folder, error);
  }
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

  one({ epoch }: Claim, type: string): Row | undefined {
    const table: Table = PARTS.includes(type) ? 'archive' : 'key';
    return readRows(this.#db, `${table} WHERE session = ? AND type = ? LIMIT 1`, Number(epoch), type)[0];
  }

  async add(sessions: readonly NewSession[]): Promise<TakenSession[]> {
    return this.#write(() => {
      const last = readList(this.#db).at(-1)?.id ?? 0;
      const rows = sessions.map((session, index) => ({ ...session, id: last + 1 + index, leaving: false }));
      addToList(this.#db, rows);
      return rows.map(takenOf);
    });
  }

  async mark({ epoch }: Claim, leaving: boolean): Promise<boolean> {
    this.#db.prepare('UPDATE session SET leaving = ? WHERE id = ?').run(leaving ? 1 : 0, Number(epoch));
    return true;
  }

  async keys({ epoch }: Claim, type: string, ids: readonly string[]): Promise<Row[]> {
    const query = this.#db.prepare(
      'SELECT value, type, id FROM key WHERE session = ? AND type = ? AND id = ?',
    );
    return ids.flatMap((id) => {
      const row = query.get(Number(epoch), type, id);
      return row === undefined ? [] : rowOf(row);
    });
  }

  async write({ epoch }: Claim, changes: readonly Change[]): Promise<boolean> {
    return this.#write(() => {
      const put = this.#put('key');
      const gone = this.#db.prepare('DELETE FROM key WHERE session = ? AND type = ? AND id = ?');
      for (const { type, id, value } of changes) {
        if (value === undefined) gone.run(Number(epoch), type, id);
        else put(epoch, { type, id, value });
      }
      return true;
    });
  }

  async erase(secrets: ReadonlyMap<Claim, string | null>, tables: readonly Table[]): Promise<boolean> {
    return this.#write(() => {
      const byEpoch = new Map([...secrets].map(([{ epoch }, secret]) => [epoch, secret]));
      for (const epoch of byEpoch.keys()) for (const table of tables) this.#empty(table, epoch);
      replaceList(
        this.#db,
        readList(this.#db).map((row) => ({ ...row, secret: byEpoch.get(String(row.id)) ?? row.secret })),
      );
      return true;
    });
  }

  async remove({ epoch }: Claim): Promise<boolean> {
    return this.#write(() => {
      for (const table of ['key', 'archive'] as const) this.#empty(table, epoch);
      replaceList(
        this.#db,
        readList(this.#db).filter(({ id }) => String(id) !== epoch),
      );
      return true;
    });
  }

  async replace({ epoch }: Claim, type: string, row: Row | undefined): Promise<boolean> {
    return this.#write(() => {
      this.#db
        .prepare('DELETE FROM archive WHERE session = ? AND type = ? AND id <> ?')
        .run(Number(epoch), type, row?.id ?? '');
      if (row) this.#put('archive')(epoch, row);
      return true;
    });
  }

  async record(rows: readonly ArchiveRow[]): Promise<void> {
    // One transaction for all: each waits for the disk.
    this.#write(() => {
      const gone = this.#db.prepare('DELETE FROM archive WHERE session = ? AND type = ? AND id = ?');
      for (const [{ epoch }, { type }, was] of rows)
        if (was !== undefined) gone.run(Number(epoch), type, was);
      const put = this.#put('archive');
      for (const [{ epoch }, row] of rows) put(epoch, row);
    });
  }

  async history({ epoch }: Claim, before: string, limit: number): Promise<Row[]> {
    const entries = 'archive WHERE session = ? AND type = ? AND id < ? ORDER BY id DESC LIMIT ?';
    return readRows(this.#db, entries, Number(epoch), HISTORY, before, limit);
  }

  async prune(claims: readonly Claim[], old: string): Promise<void> {
    const newest = 'SELECT id FROM archive WHERE session = ?1 AND type = ?2 ORDER BY id DESC LIMIT 1 OFFSET';
    this.#write(() => {
      const prune = this.#db.prepare(
        `DELETE FROM archive WHERE session = ?1 AND type = ?2
         AND (id <= (${newest} ?3) OR id <= (${newest} ?4) AND id < ?5)`,
      );
      for (const { epoch } of claims) prune.run(Number(epoch), HISTORY, KEPT.entries, KEPT.always, old);
    });
  }

  async confirm(): Promise<boolean> {
    return true;
  }

  async version(): Promise<ConfirmedVersion | undefined> {
    return readVersionRow(this.#db);
  }

  async keepVersion(version: ConfirmedVersion): Promise<void> {
    this.#write(() => replaceVersionRow(this.#db, version));
  }

  async told(channel: string): Promise<Told | undefined> {
    return readTold(this.#db).get(channel);
  }

  async keepTold(channel: string, told: Told): Promise<boolean> {
    this.#write(() => replaceTold(this.#db, channel, told));
    return true;
  }

  /** Waits while another process reads the journal, as a backup does. SQLite's own wait would block all sessions. */
  async scrub(): Promise<void> {
    const deadline = Date.now() + BACKUP.wait;
    while (!this.#isClosed && !emptyJournal(this.#db)) {
      if (Date.now() >= deadline) throw sqliteError('SQLITE_BUSY');
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

  #put(table: Table): (epoch: string, row: Row) => void {
    const put = this.#db.prepare(
      `INSERT INTO ${table} (session, type, id, value) VALUES (?, ?, ?, ?)
       ON CONFLICT (session, type, id) DO UPDATE SET value = excluded.value`,
    );
    return (epoch, { type, id, value }) => void put.run(Number(epoch), type, id, value);
  }

  #empty(table: Table, epoch: string): void {
    this.#db.prepare(`DELETE FROM ${table} WHERE session = ?`).run(Number(epoch));
  }
}

function takenOf({ id, numero, leaving, secret }: SessionRow): TakenSession {
  return { numero, leaving, epoch: String(id), secret };
}
