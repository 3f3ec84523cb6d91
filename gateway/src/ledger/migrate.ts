import { STATES } from '../../../src/wire.ts';
import { numeroKey } from '../sessions/numbers.ts';
import { type Cipher, DecryptionError, PLAIN } from './cipher.ts';
import { agree, checkKey as checkDatabaseKey, checkStopped, readClusterRow } from './cluster-row.ts';
import { connectPostgres, type Database, type Sql } from './database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { migrate } from './database-schema.ts';
import type { Row, Table } from './driver.ts';
import { FolderError, stoppedError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { FolderLock } from './lock.ts';
import { checkKey, openStore } from './open-store.ts';
import { checkIntact, checkStore, hasStore, readStore } from './read-store.ts';
import { converted, earlierSealer, newSecret, rewrapped, sealerOf } from './sealer.ts';
import { inTransaction } from './sqlite-file.ts';
import { readKeyId, readVersion, VERSION } from './sqlite-schema.ts';
import { addToList, readList, rowOf } from './tables.ts';

export interface MigrateOptions {
  /** Where the sessions go. */
  readonly to: 'database' | 'data';
  /** The folder of the SQLite store. */
  readonly folder: string;
  /** `postgres://…` */
  readonly database: string;
  /** File of the key with which the target is encrypted, and the source if it is. Default: the target is not. */
  readonly keyFile?: string | undefined;
}

/** The result of a move. */
export interface Migrated {
  readonly sessions: number;
  /** The advice to the operator about the source, which does not change. */
  readonly warning: string;
}

/** A session with all its rows, sealed, and its secret, wrapped by the cipher of the target. */
interface Moved {
  readonly numero: string;
  readonly leaving: boolean;
  readonly secret: string;
  readonly key: readonly Row[];
  readonly archive: readonly Row[];
}

const RUNNING = 'Gateways are running on the database: stop all of them first.';

/**
 * Moves the sessions of stopped gateways from one kind of store to the other, all or none, in their order; the source
 * does not change. If it rejects, with a `FolderError` or a `DatabaseError`, it has moved nothing.
 */
export async function migrateStore({ to, folder, database, keyFile }: MigrateOptions): Promise<Migrated> {
  const cipher = cipherOfFile(keyFile);
  if (to === 'database') checkStore(folder);
  const move = to === 'database' ? moveToDatabase : moveToFolder;
  const sessions = await inDatabase(database, (sql) => move(sql, folder, cipher));
  const source = to === 'database' ? `the store in '${folder}'` : 'the database';
  return {
    sessions,
    warning:
      `The same sessions are still in ${source}: never start a gateway on it again, or WhatsApp closes the lines of ` +
      'both. Erase it once all sessions are connected.',
  };
}

async function moveToDatabase(database: Database, folder: string, cipher: Cipher): Promise<number> {
  const lock = await inFolder(folder, () => FolderLock.take(folder));
  try {
    const moved = await inFolder(folder, () => readFolder(folder, cipher));
    return await database.begin(async (tx) => {
      await checkStopped(tx, RUNNING);
      await agree(tx, 'whatsapp', cipher);
      const [some] = await tx`SELECT 1 FROM session LIMIT 1`;
      if (some) {
        throw new DatabaseError(
          'There are sessions in the database already: choose an empty one with --database.',
        );
      }
      for (const session of moved) await insert(tx, session);
      // Until the database has gathered statistics, each statement visits all sessions of a gateway.
      await tx`ANALYZE session`;
      return moved.length;
    });
  } finally {
    lock.release();
  }
}

function readFolder(folder: string, cipher: Cipher): Promise<Moved[]> {
  return readStore(folder, (db) => {
    if (readVersion(db) < VERSION) {
      throw new FolderError(
        `The store in '${folder}' is of an earlier version of the gateway: start this one once, which converts it.`,
      );
    }
    const isPlain = readKeyId(db) === null;
    if (!isPlain) checkKey(db, cipher, folder);
    const read = (table: Table, id: number) =>
      db.prepare(`SELECT type, id, value FROM ${table} WHERE session = ?`).all(id).map(rowOf);
    return readList(db).map(({ id, numero, leaving, secret }) => ({
      numero,
      leaving,
      secret: rewrapped(isPlain ? PLAIN : cipher, cipher, numero, secret),
      key: read('key', id),
      archive: read('archive', id),
    }));
  });
}

async function insert(tx: Sql, { numero, leaving, secret, key, archive }: Moved): Promise<void> {
  const session = numeroKey(numero);
  await tx`
    INSERT INTO session (id, numero, leaving, state, waiting, secret)
    VALUES (${session}, ${numero}, ${leaving}, ${STATES.disconnected}, false, ${secret})`;
  await tx`
    INSERT INTO key (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${JSON.stringify(key)}::text::json) AS row (type text, id text, value text)`;
  await tx`
    INSERT INTO archive (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${JSON.stringify(archive)}::text::json) AS row (type text, id text, value text)`;
}

async function moveToFolder(database: Database, folder: string, cipher: Cipher): Promise<number> {
  return database.begin(async (tx) => {
    await checkStopped(tx, RUNNING);
    const row = await readClusterRow(tx);
    if (row?.engine !== 'whatsapp') {
      throw new DatabaseError('There are no sessions of real phones in the database: correct --database.');
    }
    if (row.cipher !== null) checkDatabaseKey(row.cipher, cipher.id);
    const moved = await readDatabase(tx, row.cipher === null ? PLAIN : cipher, cipher);
    await inFolder(folder, () => fill(folder, moved, cipher));
    return moved.length;
  });
}

async function readDatabase(tx: Sql, from: Cipher, to: Cipher): Promise<Moved[]> {
  const sessions = await tx<{ id: string; numero: string; leaving: boolean; secret: string | null }>`
    SELECT id, numero, leaving, secret FROM session ORDER BY place`;
  const moved: Moved[] = [];
  for (const { id: session, numero, leaving, secret: wrapped } of sessions) {
    const key = await tx<Row>`SELECT type, id, value FROM key WHERE session = ${session}`;
    const archive = await tx<Row>`SELECT type, id, value FROM archive WHERE session = ${session}`;
    if (wrapped === null) {
      const secret = newSecret(to, numero);
      const sealers = [earlierSealer(from, numero), sealerOf(to, numero, secret)] as const;
      const rows = {
        key: converted('key', key, ...sealers),
        archive: converted('archive', archive, ...sealers),
      };
      moved.push({ numero, leaving, secret, ...rows });
    } else moved.push({ numero, leaving, secret: rewrapped(from, to, numero, wrapped), key, archive });
  }
  return moved;
}

/** Fills an empty store, whole or not at all. */
async function fill(folder: string, moved: readonly Moved[], cipher: Cipher): Promise<void> {
  if (hasStore(folder) && (await readStore(folder, checkIntact)) > 0) {
    throw new FolderError(`There are sessions in '${folder}' already: choose another folder with --data.`);
  }
  const { db, close } = await openStore(folder, cipher);
  try {
    inTransaction(db, () => {
      addToList(
        db,
        moved.map((session, index) => ({ ...session, id: index + 1 })),
      );
      for (const table of ['key', 'archive'] as const) {
        const add = db.prepare(`INSERT INTO ${table} (session, type, id, value) VALUES (?, ?, ?, ?)`);
        for (const [index, session] of moved.entries()) {
          for (const { type, id, value } of session[table]) add.run(index + 1, type, id, value);
        }
      }
    });
  } finally {
    close();
  }
}

async function inDatabase<T>(url: string, task: (database: Database) => Promise<T>): Promise<T> {
  try {
    const database = await connectPostgres(url, { max: 1, name: 'whatsapp-operadores migrate' });
    try {
      await migrate(database);
      return await task(database);
    } finally {
      await database.end();
    }
  } catch (error) {
    if (error instanceof DecryptionError) {
      throw new DatabaseError('A key in the database is damaged, or was encrypted with another key file.');
    }
    throw databaseError(url, error);
  }
}

async function inFolder<T>(folder: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw stoppedError(folder, error);
  }
}
