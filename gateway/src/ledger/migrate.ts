import { STATES } from '../../../src/wire.ts';
import { numeroKey } from '../sessions/numbers.ts';
import { type Cipher, DecryptionError, PLAIN } from './cipher.ts';
import { agree, checkKey as checkDatabaseKey, checkStopped, readClusterRow } from './cluster-row.ts';
import { connectPostgres, type Database, type Sql } from './database.ts';
import { DatabaseError, databaseError } from './database-error.ts';
import { migrate } from './database-schema.ts';
import type { Row } from './driver.ts';
import { FolderError, stoppedError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { FolderLock } from './lock.ts';
import { checkKey, type OpenStore, openWith } from './open-store.ts';
import { checkStore, readStore } from './read-store.ts';
import { inTransaction } from './sqlite-file.ts';
import { readVersion, VERSION } from './sqlite-schema.ts';
import {
  BELONGINGS,
  type Belongings,
  changeCipher,
  KeyTable,
  readKeyId,
  readList,
  replaceList,
  type SessionRow,
} from './tables.ts';

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

/** A session with all its data, not encrypted. */
interface Moved {
  readonly numero: string;
  readonly leaving: boolean;
  readonly keys: readonly Row[];
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
      for (const session of moved) await insert(tx, session, cipher);
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
    const read = (row: SessionRow, of: Belongings) =>
      new KeyTable(db, row, isPlain ? PLAIN : cipher, of).all();
    return readList(db).map((row) => ({
      numero: row.numero,
      leaving: row.leaving,
      keys: read(row, 'keys'),
      archive: read(row, 'archive'),
    }));
  });
}

async function insert(tx: Sql, { numero, leaving, keys, archive }: Moved, cipher: Cipher): Promise<void> {
  const session = numeroKey(numero);
  await tx`
    INSERT INTO session (id, numero, leaving, state, waiting)
    VALUES (${session}, ${numero}, ${leaving}, ${STATES.disconnected}, false)`;
  const seal = (rows: readonly Row[]) =>
    JSON.stringify(
      rows.map((row) => ({ ...row, value: cipher.seal(row.value, [numero, row.type, row.id]) })),
    );
  await tx`
    INSERT INTO key (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${seal(keys)}::text::json) AS sealed (type text, id text, value text)`;
  await tx`
    INSERT INTO archive (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${seal(archive)}::text::json) AS sealed (type text, id text, value text)`;
}

async function moveToFolder(database: Database, folder: string, cipher: Cipher): Promise<number> {
  return database.begin(async (tx) => {
    await checkStopped(tx, RUNNING);
    const row = await readClusterRow(tx);
    if (row?.engine !== 'whatsapp') {
      throw new DatabaseError('There are no sessions of real phones in the database: correct --database.');
    }
    if (row.cipher !== null) checkDatabaseKey(row.cipher, cipher.id);
    const from = row.cipher === null ? PLAIN : cipher;
    const moved = await readDatabase(tx, from);
    const store = await inFolder(folder, () => openWith(folder, (db) => settle(db, folder, moved, cipher)));
    store.close();
    return moved.length;
  });
}

async function readDatabase(tx: Sql, cipher: Cipher): Promise<Moved[]> {
  const sessions = await tx<{ id: string; numero: string; leaving: boolean }>`
    SELECT id, numero, leaving FROM session ORDER BY place`;
  const moved: Moved[] = [];
  for (const { id: session, numero, leaving } of sessions) {
    const open = (rows: readonly Row[]) =>
      rows.map((row) => ({ ...row, value: cipher.open(row.value, [numero, row.type, row.id]) }));
    const keys = open(await tx<Row>`SELECT type, id, value FROM key WHERE session = ${session}`);
    const archive = open(await tx<Row>`SELECT type, id, value FROM archive WHERE session = ${session}`);
    moved.push({ numero, leaving, keys, archive });
  }
  return moved;
}

/** Fills an empty store, whole or not at all. */
function settle(db: OpenStore['db'], folder: string, moved: readonly Moved[], cipher: Cipher): Cipher {
  inTransaction(db, () => {
    if (readList(db).length > 0) {
      throw new FolderError(`There are sessions in '${folder}' already: choose another folder with --data.`);
    }
    if (cipher.id === null) checkKey(db, cipher, folder);
    else changeCipher(db, PLAIN, cipher);
    const rows = moved.map(({ numero, leaving }, index) => ({ id: index + 1, numero, leaving }));
    replaceList(db, rows);
    for (const [index, row] of rows.entries()) {
      for (const of of BELONGINGS) {
        const table = new KeyTable(db, row, cipher, of);
        table.create();
        table.putAll(moved[index]?.[of] ?? []);
      }
    }
  });
  return cipher;
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
