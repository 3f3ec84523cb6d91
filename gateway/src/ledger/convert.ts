import type { Cipher } from './cipher.ts';
import type { Sql } from './database.ts';
import type { Row } from './row.ts';
import { converted, type SessionRows } from './sealer.ts';

/** A row of the table `session`, by its owner and the epoch of its claim. */
interface ClaimedRow {
  readonly id: string;
  readonly numero: string;
  /** Null if no gateway owns it. */
  readonly owner: string | null;
  readonly epoch: string;
}

/** Returns all rows of a session of PostgreSQL. */
export async function rowsOf(sql: Sql, session: string): Promise<SessionRows> {
  return {
    key: await sql<Row>`SELECT type, id, value FROM key WHERE session = ${session}`,
    archive: await sql<Row>`SELECT type, id, value FROM archive WHERE session = ${session}`,
  };
}

/**
 * Gives a session of PostgreSQL from before data keys a secret, and seals its rows with that, in one statement, which
 * changes nothing if the session has another owner or epoch by then.
 *
 * @param from seals its rows
 * @param to wraps its secret
 */
export async function convert(
  sql: Sql,
  { id, numero, owner, epoch }: ClaimedRow,
  from: Cipher,
  to: Cipher,
): Promise<void> {
  const { secret, key, archive } = converted(from, to, numero, await rowsOf(sql, id));
  await sql`
    WITH mine AS (
      UPDATE session SET secret = ${secret}
      WHERE id = ${id} AND secret IS NULL AND owner IS NOT DISTINCT FROM ${owner} AND epoch = ${epoch} RETURNING id
    ), keys AS (
      UPDATE key SET id = row.id, value = row.value
      FROM mine, json_to_recordset(${JSON.stringify(key)}::text::json)
        AS row (type text, "from" text, id text, value text)
      WHERE key.session = mine.id AND key.type = row.type AND key.id = row."from"
    )
    UPDATE archive SET value = row.value
    FROM mine, json_to_recordset(${JSON.stringify(archive)}::text::json) AS row (type text, id text, value text)
    WHERE archive.session = mine.id AND archive.type = row.type AND archive.id = row.id`;
}
