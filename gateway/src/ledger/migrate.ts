import { STATES } from '../../../src/wire.ts';
import { numeroKey } from '../numbers.ts';
import { type Cipher, PLAIN } from './cipher.ts';
import {
  agreeIn,
  checkKey as checkDatabaseKey,
  checkStopped,
  RUNNING,
  readClusterRow,
  rowsOf,
} from './cluster-row.ts';
import type { Database, Sql } from './database.ts';
import { DatabaseError, withDatabase } from './database-error.ts';
import { prepareTables } from './database-schema.ts';
import { FolderError, folderError } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { type Row, resealed, TABLES, type Table } from './row.ts';
import { inTransaction, lockFolder } from './sqlite-file.ts';
import {
  addRows,
  addToList,
  checkIntact,
  checkKey,
  checkStore,
  hasStore,
  openStore,
  readKeyId,
  readList,
  readRows,
  readStore,
} from './sqlite-store.ts';

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

/** A session with all its rows, sealed by the cipher of the target. */
interface Moved extends Readonly<Record<Table, readonly Row[]>> {
  readonly numero: string;
  readonly leaving: boolean;
}

/**
 * Moves the sessions of stopped gateways from one kind of store to the other, all or none, in their order; the source
 * does not change. If it rejects, with a `FolderError` or a `DatabaseError`, it has moved nothing.
 */
export async function migrateStore(
  { to, folder, database, keyFile }: MigrateOptions,
): Promise<Migrated> {
  const cipher = cipherOfFile(keyFile);
  if (to === 'database') checkStore(folder);
  const move = to === 'database' ? moveToDatabase : moveToFolder;
  const sessions = await withDatabase(database, async (opened) => {
    await prepareTables(opened);
    return move(opened, folder, cipher);
  });
  const source = to === 'database' ? `the store in '${folder}'` : 'the database';
  return {
    sessions,
    warning:
      `The same sessions are still in ${source}: never start a gateway on it again, or WhatsApp closes the lines of ` +
      'both. Erase it once all sessions are connected.',
  };
}

async function moveToDatabase(
  database: Database,
  folder: string,
  cipher: Cipher,
): Promise<number> {
  const release = await inFolder(folder, () => lockFolder(folder));
  try {
    const moved = await inFolder(folder, () => readFolder(folder, cipher));
    return await database.begin(async (tx) => {
      await checkStopped(tx, RUNNING);
      await agreeIn(tx, 'whatsapp', cipher);
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
    release();
  }
}

function readFolder(folder: string, cipher: Cipher): Promise<Moved[]> {
  return readStore(folder, (db) => {
    const isPlain = readKeyId(db) === null;
    if (!isPlain) checkKey(db, cipher, folder);
    return Array.from(readList(db), ({ id, numero, leaving }) => {
      const rowsIn = (table: Table) =>
        resealed(isPlain ? PLAIN : cipher, cipher, numero, readRows(db, `${table} WHERE session = ?`, id));
      return { numero, leaving, key: rowsIn('key'), archive: rowsIn('archive') };
    });
  });
}

async function insert(tx: Sql, { numero, leaving, key, archive }: Moved): Promise<void> {
  const session = numeroKey(numero);
  await tx`
    INSERT INTO session (id, numero, leaving, state, waiting)
    VALUES (${session}, ${numero}, ${leaving}, ${STATES.disconnected}, false)`;
  await tx`
    WITH keys AS (
      INSERT INTO key (session, type, id, value)
      SELECT ${session}, type, id, value
      FROM json_to_recordset(${JSON.stringify(key)}::text::json) AS row (type text, id text, value text)
    )
    INSERT INTO archive (session, type, id, value)
    SELECT ${session}, type, id, value
    FROM json_to_recordset(${JSON.stringify(archive)}::text::json) AS row (type text, id text, value text)`;
}

async function moveToFolder(
  database: Database,
  folder: string,
  cipher: Cipher,
): Promise<number> {
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
  const sessions = await tx<{ id: string; numero: string; leaving: boolean }>`
    SELECT id, numero, leaving FROM session ORDER BY place`;
  const moved: Moved[] = [];
  for (const { id, numero, leaving } of sessions) {
    const { key, archive } = await rowsOf(tx, id);
    moved.push({
      numero,
      leaving,
      key: resealed(from, to, numero, key),
      archive: resealed(from, to, numero, archive),
    });
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
      for (const session of moved) {
        const id = addToList(db, session.numero, session.leaving);
        for (const table of TABLES) addRows(db, table, id, session[table]);
      }
    });
  } finally {
    close();
  }
}

async function inFolder<T>(folder: string, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    throw folderError(folder, error);
  }
}
