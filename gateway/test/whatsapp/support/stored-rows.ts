import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';

/** Returns how many rows a table of a folder's store has, also beside a gateway. */
export function rowsIn(folder: string, table: 'session' | 'key' | 'archive', where = 'true'): number {
  const db = new Database(`${pathToFileURL(join(folder, 'sessions.sqlite')).href}?mode=ro`);
  try {
    return Number(Object(db.prepare(`SELECT count(*) AS count FROM ${table} WHERE ${where}`).get()).count);
  } finally {
    db.close();
  }
}

/** Returns how many rows there are of a session, and of sessions that are gone. */
export function tracesOf(folder: string, numero: string): number {
  const orphan = 'session NOT IN (SELECT id FROM session)';
  return (
    rowsIn(folder, 'session', `numero = '${numero}'`) +
    rowsIn(folder, 'key', orphan) +
    rowsIn(folder, 'archive', orphan)
  );
}
