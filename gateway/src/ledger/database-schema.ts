import type { Database, Sql } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { reasonOf } from './operations.ts';

/** The version of the tables that this gateway makes and knows. */
export const VERSION = 1;

/** PostgreSQL's codes of a table that somebody else creates at the same time; 42710 is that of its row type. */
const EXISTS = ['23505', '42710', '42P07'];

/**
 * Creates the tables in an empty database, all or none. Rejects with a {@link DatabaseError} if they are of another
 * version, or with PostgreSQL's error.
 */
export async function prepareTables({ sql, begin }: Pick<Database, 'sql' | 'begin'>): Promise<void> {
  if (await hasTables(sql)) return;
  await begin(createTables).catch(async (error: unknown) => {
    if (!EXISTS.includes(reasonOf(error))) throw error;
    await hasTables(sql);
  });
}

/** Whether a gateway has ever used this database. Rejects like {@link prepareTables}. */
export async function hasTables(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ exist: boolean }>`SELECT to_regclass('schema_version') IS NOT NULL AS exist`;
  if (!found?.exist) return false;
  const [row] = await sql<{ version: number }>`SELECT version FROM schema_version`;
  if (row?.version === VERSION) return true;
  throw new DatabaseError(
    `The tables in the database are of another version of the gateway (schema ${row?.version}; this one knows ${VERSION}): ` +
      'use that version, or choose an empty database with --database.',
  );
}

/** For a database that no gateway has used. */
export const UNUSED = 'No gateway has used this database yet: start one with --database.';

/** Rejects with a {@link DatabaseError} unless a gateway has used this database. */
export async function checkUsed(sql: Sql): Promise<void> {
  if (!(await hasTables(sql))) throw new DatabaseError(UNUSED);
}

async function createTables(tx: Sql): Promise<void> {
  // Other gateways that start at the same time wait here, and fail.
  await tx`CREATE TABLE schema_version (version int NOT NULL)`;
  await tx`INSERT INTO schema_version VALUES (${VERSION})`;
  await tx`
    CREATE TABLE cluster (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      engine text NOT NULL,
      secret text NOT NULL,
      cipher text,
      client_version text,
      client_confirmed bigint
    )`;
  await tx`
    CREATE TABLE node (
      id uuid PRIMARY KEY,
      url text NOT NULL,
      version text NOT NULL,
      lease int NOT NULL,
      capacity int,
      draining boolean NOT NULL DEFAULT false,
      sessions int NOT NULL DEFAULT 0,
      beats bigint NOT NULL DEFAULT 0,
      beaten timestamptz NOT NULL DEFAULT now()
    )`;
  await tx`
    CREATE TABLE session (
      id text PRIMARY KEY,
      numero text NOT NULL,
      place bigint GENERATED ALWAYS AS IDENTITY,
      owner uuid REFERENCES node ON DELETE SET NULL,
      epoch bigint NOT NULL DEFAULT 0,
      leaving boolean NOT NULL DEFAULT false,
      state text NOT NULL,
      qr text,
      waiting boolean NOT NULL,
      details jsonb NOT NULL DEFAULT '{}',
      version bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70)`;
  await tx`CREATE INDEX session_owner ON session (owner)`;
  await tx`CREATE SEQUENCE session_epoch`;
  await tx`
    CREATE TABLE key (
      session text NOT NULL REFERENCES session ON DELETE CASCADE,
      type text NOT NULL,
      id text NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (session, type, id)
    )`;
  // Names, links and history.
  await tx`
    CREATE TABLE archive (
      session text NOT NULL REFERENCES session ON DELETE CASCADE,
      type text NOT NULL,
      id text COLLATE "C" NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (session, type, id)
    )`;
  await tx`CREATE INDEX archive_link ON archive (id) WHERE type = 'link'`;
  await tx`CREATE TABLE told (channel text PRIMARY KEY, text text NOT NULL, version text NOT NULL)`;
}
