import type { Database, Sql } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { reasonOf } from './operations.ts';

/*
 * A company upgrades its gateways one after the other, so two versions run on one schema for a while. Each change comes
 * in three releases: the first adds what is new (expand), the second uses it (migrate), and the third, when no gateway
 * of the first is left, removes what is old (contract).
 */

interface Step {
  /** The oldest version of a gateway's schema that can still work with the tables after this step. */
  readonly compatible: number;
  readonly run: (sql: Sql) => Promise<unknown>;
}

const STEPS: readonly Step[] = [
  { compatible: 1, run: createFirst },
  { compatible: 1, run: addArchive },
  { compatible: 1, run: addEpochs },
  { compatible: 1, run: addClientVersion },
  { compatible: 1, run: addTold },
];

/** The version of the schema that this gateway makes. */
export const VERSION = STEPS.length;

/** The first version whose sessions have secrets. */
export const SECRETS = 3;

/** The first version that keeps the version of WhatsApp Web. */
export const CLIENT_VERSION = 4;

/** PostgreSQL's codes of a table that somebody else creates at the same time; 42710 is that of its row type. */
const EXISTS = ['23505', '42710', '42P07'];

/**
 * Brings the schema to {@link VERSION}, in one transaction. A later schema does not change. Rejects with a {@link
 * DatabaseError} if it is too new for this gateway, or with PostgreSQL's error.
 */
export async function migrate(database: Database): Promise<void> {
  await createVersion(database.sql);
  await database.begin(async (tx) => {
    // Gateways that start at the same time take turns. Any role can take an advisory lock; this lock requires a right.
    await tx`LOCK TABLE schema_version IN SHARE ROW EXCLUSIVE MODE`;
    const version = await readSchema(tx);
    for (const { compatible, run } of STEPS.slice(version)) {
      await run(tx);
      await tx`DELETE FROM schema_version`;
      await tx`INSERT INTO schema_version (version, compatible) VALUES (${VERSION}, ${compatible})`;
    }
    // From now on gateways from before secrets refuse to start, and sessions get secrets.
    await tx`
      UPDATE schema_version SET compatible = ${SECRETS}
      WHERE version = ${VERSION} AND compatible < ${SECRETS}
      AND NOT EXISTS (SELECT 1 FROM node WHERE schema < ${SECRETS})`;
  });
}

/**
 * Returns the version of the schema; 0 if there is none yet. Rejects with a {@link DatabaseError} if it is too new for
 * this gateway, or with PostgreSQL's error.
 */
export async function readSchema(sql: Sql): Promise<number> {
  const [row] = await sql<{
    version: number;
    compatible: number;
  }>`SELECT version, compatible FROM schema_version`;
  if (row && row.compatible > VERSION) {
    throw new DatabaseError(
      `The database was changed by a later version of the gateway (schema ${row.version}; this one knows ${VERSION}): ` +
        'install that version.',
    );
  }
  return row?.version ?? 0;
}

async function createVersion(sql: Sql): Promise<void> {
  const create = () =>
    sql`CREATE TABLE IF NOT EXISTS schema_version (version int NOT NULL, compatible int NOT NULL)`;
  await create().catch((error: unknown) => {
    if (!EXISTS.includes(reasonOf(error))) throw error;
  });
}

async function createFirst(tx: Sql): Promise<void> {
  await tx`
    CREATE TABLE cluster (
      single boolean PRIMARY KEY DEFAULT true CHECK (single),
      engine text NOT NULL,
      secret text NOT NULL,
      cipher text
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
      lag int,
      beats bigint NOT NULL DEFAULT 0,
      beaten timestamptz NOT NULL DEFAULT now()
    )`;
  await tx`
    CREATE TABLE session (
      id text PRIMARY KEY,
      numero text NOT NULL,
      place bigint GENERATED ALWAYS AS IDENTITY,
      owner uuid REFERENCES node ON DELETE SET NULL,
      leaving boolean NOT NULL DEFAULT false,
      state text NOT NULL,
      qr text,
      waiting boolean NOT NULL,
      version bigint NOT NULL DEFAULT 0
    ) WITH (fillfactor = 70)`;
  await tx`CREATE INDEX session_owner ON session (owner)`;
  await tx`
    CREATE TABLE key (
      session text NOT NULL REFERENCES session ON DELETE CASCADE,
      type text NOT NULL,
      id text NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (session, type, id)
    )`;
}

/** Names, links and history, and the parts of them that gateways list. */
async function addArchive(tx: Sql): Promise<void> {
  await tx`ALTER TABLE session ADD COLUMN details jsonb NOT NULL DEFAULT '{}'`;
  await tx`
    CREATE TABLE archive (
      session text NOT NULL REFERENCES session ON DELETE CASCADE,
      type text NOT NULL,
      id text COLLATE "C" NOT NULL,
      value text NOT NULL,
      PRIMARY KEY (session, type, id)
    )`;
  await tx`CREATE INDEX archive_link ON archive (id) WHERE type = 'link'`;
}

/**
 * Adds the epoch, which identifies a claim of a session, and the secret of a session; see `sealerOf`. Gateways of
 * earlier versions use neither.
 */
async function addEpochs(tx: Sql): Promise<void> {
  await tx`ALTER TABLE session ADD COLUMN epoch bigint NOT NULL DEFAULT 0, ADD COLUMN secret text`;
  // Gateways of earlier versions do not say which schema they know.
  await tx`ALTER TABLE node ADD COLUMN schema int NOT NULL DEFAULT 2`;
  await tx`CREATE SEQUENCE session_epoch`;
}

/** The last version of WhatsApp Web that WhatsApp confirmed, and when, in milliseconds since 1970. */
async function addClientVersion(tx: Sql): Promise<void> {
  await tx`ALTER TABLE cluster ADD COLUMN client_version text, ADD COLUMN client_confirmed bigint`;
}

/** What each channel has told of the numbers, and what it has still to tell. */
async function addTold(tx: Sql): Promise<void> {
  await tx`CREATE TABLE told (channel text PRIMARY KEY, text text NOT NULL, version text NOT NULL)`;
}
