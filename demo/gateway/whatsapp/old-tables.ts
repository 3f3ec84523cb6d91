import type { Database } from 'libsql';
import { CREDENTIALS, columnsOf, hasTable, KeyTable, replaceList } from './tables.ts';

/** Before November 2026 the list of sessions had the credentials too, and one table had the keys of all of them. */
export function hasOldTables(db: Database): boolean {
  return hasTable(db, 'key');
}

/** Puts what is in the old tables into the new ones, and drops the old ones; to be done in one transaction. */
export function moveOldTables(db: Database): void {
  const sessions = db.prepare('SELECT numero, creds, leaving FROM session ORDER BY rowid').all();
  const keys = db.prepare('SELECT type, id, value FROM key WHERE numero = ?');
  const rows = sessions.map(columnsOf).map(({ numero, creds, leaving }, index) => {
    const table = new KeyTable(db, index + 1);
    table.create();
    for (const { type, id, value } of keys.all(numero).map(columnsOf)) {
      table.put(String(type), String(id), String(value));
    }
    if (typeof creds === 'string') table.put(CREDENTIALS.type, CREDENTIALS.id, creds);
    return { id: index + 1, numero: String(numero), leaving: leaving === 1 };
  });
  replaceList(db, rows);
  db.exec('DROP TABLE key');
}
