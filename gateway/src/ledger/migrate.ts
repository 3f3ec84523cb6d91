import { STATES } from '../../../src/wire.ts';
import { numeroKey } from '../numbers.ts';
import { type Cipher, PLAIN } from './cipher.ts';
import {
  agreeIn,
  checkKey as checkDatabaseKey,
  checkStopped,
  RUNNING,
  readSessions as readDatabaseSessions,
  usedRow,
  writeRows,
} from './cluster-row.ts';
import type { Sql } from './database.ts';
import { DatabaseError, withDatabase } from './database-error.ts';
import { prepareTables } from './database-schema.ts';
import { FolderError, inFolder } from './folder.ts';
import { cipherOfFile } from './key-file.ts';
import { resealed } from './row.ts';
import {
  addSessions,
  checkKey,
  checkStore,
  hasStore,
  inTransaction,
  lockFolder,
  openStore,
  readKeyId,
  readList,
  readSessions,
  readStore,
} from './sqlite-store.ts';

export interface MigrateOptions {
  readonly to: 'database' | 'data';
  readonly folder: string;
  readonly database: string;
  /** File of the key with which the target is encrypted, and the source if it is. Default: the target is not. */
  readonly keyFile?: string | undefined;
}

/**
 * Moves the sessions of stopped gateways from one kind of store to the other, all or none, in their order; the source
 * does not change. If it rejects, with a `FolderError` or a `DatabaseError`, it has moved nothing.
 *
 * @returns the number of sessions, and advice to the operator about the source
 */
export async function migrateStore({ to, folder, database, keyFile }: MigrateOptions) {
  const cipher = cipherOfFile(keyFile);
  if (to === 'database') checkStore(folder);
  const move = to === 'database' ? moveToDatabase : moveToFolder;
  const sessions = await withDatabase(database, async (opened) => {
    await prepareTables(opened);
    return opened.begin(async (tx) => {
      await checkStopped(tx, RUNNING);
      return move(tx, folder, cipher);
    });
  });
  const source = to === 'database' ? `the store in '${folder}'` : 'the database';
  return {
    sessions,
    warning:
      `The same sessions are still in ${source}: never start a gateway on it again, or WhatsApp closes the lines of ` +
      'both. Erase it once all sessions are connected.',
  };
}

async function moveToDatabase(tx: Sql, folder: string, cipher: Cipher): Promise<number> {
  const release = await inFolder(folder, () => lockFolder(folder));
  try {
    const sessions = await readStore(folder, (db) => {
      const from = readKeyId(db) === null ? PLAIN : cipher;
      checkKey(db, from, folder);
      return readSessions(db).map((session) => resealed(from, cipher, session));
    });
    await agreeIn(tx, 'whatsapp', cipher);
    const [some] = await tx`SELECT 1 FROM session LIMIT 1`;
    if (some) {
      throw new DatabaseError(
        'There are sessions in the database already: choose an empty one with --database.',
      );
    }
    for (const session of sessions) {
      const { numero, leaving } = session;
      await tx`
        INSERT INTO session (id, numero, leaving, state, waiting)
        VALUES (${numeroKey(numero)}, ${numero}, ${leaving}, ${STATES.disconnected}, false)`;
      await writeRows(tx, session);
    }
    // Until the database has gathered statistics, each statement visits all sessions of a gateway.
    await tx`ANALYZE session`;
    return sessions.length;
  } finally {
    release();
  }
}

async function moveToFolder(tx: Sql, folder: string, cipher: Cipher): Promise<number> {
  const row = await usedRow(tx);
  if (row.engine !== 'whatsapp') {
    throw new DatabaseError('There are no sessions of real phones in the database: correct --database.');
  }
  const from = row.cipher === null ? PLAIN : cipher;
  checkDatabaseKey(row.cipher, from.id);
  const sessions = (await readDatabaseSessions(tx)).map((session) => resealed(from, cipher, session));
  if (hasStore(folder) && (await readStore(folder, readList)).length > 0) {
    throw new FolderError(`There are sessions in '${folder}' already: choose another folder with --data.`);
  }
  const { db, close } = await openStore(folder, cipher);
  try {
    await inFolder(folder, () => inTransaction(db, () => addSessions(db, sessions)));
  } finally {
    close();
  }
  return sessions.length;
}
