import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

const TRIGGER = 'no_room';

/**
 * Has SQLite refuse some writes in the folder of a gateway that is not running, as it would on a full disk.
 * @param what which ones, as in `UPDATE OF creds ON session WHEN NEW.numero = '1'`
 */
export function refuseWrites(folder: string, what: string): void {
  change(folder, `CREATE TRIGGER ${TRIGGER} BEFORE ${what} BEGIN SELECT RAISE(ROLLBACK, 'no room'); END`);
}

export function takeWrites(folder: string): void {
  change(folder, `DROP TRIGGER ${TRIGGER}`);
}

/** Overwrites the first page of a table or of an index. */
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

/** The credentials of a session as they are on the disk. */
export function storedCreds(folder: string, numero: string): string {
  const db = open(folder);
  const creds = first(db, 'SELECT creds FROM session WHERE numero = ?', numero);
  db.close();
  return String(creds);
}

export function storeCreds(folder: string, numero: string, creds: string): void {
  change(folder, 'UPDATE session SET creds = ? WHERE numero = ?', creds, numero);
}

function change(folder: string, statement: string, ...values: string[]): void {
  const db = open(folder);
  db.prepare(statement).run(...values);
  db.close();
}

/** The first column of the first row. */
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
