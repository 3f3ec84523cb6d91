import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** Makes SQLite refuse writes of keys of one type for a session, in the store of a gateway that is not running. */
export function refuseKeys(folder: string, numero: string, type: string): void {
  change(
    folder,
    `CREATE TRIGGER no_room BEFORE INSERT ON ${keysOf(folder, numero)} WHEN NEW.type = '${type}'
     BEGIN SELECT RAISE(ROLLBACK, 'no room'); END`,
  );
}

/** Overwrites the first page of a table or an index. */
export function breakPage(folder: string, name: string): void {
  const db = open(folder);
  const page = Number(first(db, 'SELECT rootpage FROM sqlite_master WHERE name = ?', name));
  const size = Number(first(db, 'SELECT page_size FROM pragma_page_size'));
  db.close();
  assert.ok(page > 1 && size > 0, `there is no page of ${name}`);
  const content = readFileSync(fileIn(folder));
  content.fill('A', (page - 1) * size, page * size);
  writeFileSync(fileIn(folder), content);
}

/** Returns the stored credentials of a session. */
export function storedCreds(folder: string, numero: string): string {
  const db = open(folder);
  const creds = first(db, `SELECT value FROM ${keysOf(folder, numero)} WHERE type = 'creds'`);
  db.close();
  return String(creds);
}

/** Returns the name of the session's key table. */
export function keysOf(folder: string, numero: string): string {
  const db = open(folder);
  const id = first(db, 'SELECT id FROM session WHERE numero = ?', numero);
  db.close();
  return `keys_${id}`;
}

export function storeCreds(folder: string, numero: string, creds: string): void {
  change(folder, `UPDATE ${keysOf(folder, numero)} SET value = ? WHERE type = 'creds'`, creds);
}

function change(folder: string, statement: string, ...values: string[]): void {
  const db = open(folder);
  db.prepare(statement).run(...values);
  db.close();
}

/** Returns the first column of the first row. */
function first(db: Database.Database, query: string, ...values: string[]): unknown {
  const row: unknown = db.prepare(query).get(...values);
  return typeof row === 'object' && row !== null ? Object.values(row)[0] : undefined;
}

function open(folder: string): Database.Database {
  return new Database(fileIn(folder));
}

function fileIn(folder: string): string {
  return join(folder, 'sessions.sqlite');
}
