import type { Database } from 'libsql';
import { CREDENTIALS, columnsOf, hasTable, KeyTable, replaceList } from './tables.ts';

/** Whether the database dates from before November 2026: one table with the keys of all sessions. */
export function hasOldTables(db: Database): boolean {
  return hasTable(db, 'key');
}

/** Moves the contents of the old tables into the new ones. To be run in a transaction. */
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
