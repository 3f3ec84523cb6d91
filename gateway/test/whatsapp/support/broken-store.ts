import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** Makes SQLite refuse writes of keys of one type for a session, in the store of a gateway that is not running. */
export function refuseKeys(folder: string, numero: string, type: string): void {
  const db = open(folder);
  const { id } = sessionOf(db, numero);
  db.close();
  change(
    folder,
    `CREATE TRIGGER no_room BEFORE INSERT ON key WHEN NEW.session = ${id} AND NEW.type = '${type}'
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

/** Overwrites the page with the end of a session's credentials. */
export function breakCreds(folder: string, numero: string): void {
  const db = open(folder);
  const { id } = sessionOf(db, numero);
  const creds = String(first(db, "SELECT value FROM key WHERE session = ? AND type = 'creds'", String(id)));
  const size = Number(first(db, 'SELECT page_size FROM pragma_page_size'));
  db.close();
  const content = readFileSync(fileIn(folder));
  // All that this page has of them: credentials of other sessions may end alike.
  let length = 40;
  while (length < creds.length && content.includes(creds.slice(-length - 1))) length += 1;
  const place = content.indexOf(creds.slice(-length));
  assert.ok(place > 0, 'there are no credentials');
  const page = Math.floor(place / size);
  content.fill('A', page * size, (page + 1) * size);
  writeFileSync(fileIn(folder), content);
}

/** Returns the stored credentials of a session, in a store without encryption. */
export function storedCreds(folder: string, numero: string): string {
  const db = open(folder);
  const { id } = sessionOf(db, numero);
  const value = String(first(db, "SELECT value FROM key WHERE session = ? AND type = 'creds'", String(id)));
  db.close();
  return value;
}

/** Replaces the credentials of a session, in a store without encryption. */
export function storeCreds(folder: string, numero: string, creds: string): void {
  const db = open(folder);
  const { id } = sessionOf(db, numero);
  db.close();
  change(folder, "UPDATE key SET value = ? WHERE session = ? AND type = 'creds'", creds, String(id));
}

function sessionOf(db: Database.Database, numero: string): { id: number } {
  return Object(db.prepare('SELECT id FROM session WHERE numero = ?').get(numero));
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
