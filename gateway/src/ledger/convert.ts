import type { Cipher } from './cipher.ts';
import type { Sql } from './database.ts';
import type { Row } from './driver.ts';
import { converted, earlierSealer, newSecret, sealerOf } from './sealer.ts';

/** The owner of a session, and the epoch of its claim. */
interface Fence {
  readonly owner: string;
  readonly epoch: string;
}

/**
 * Gives a session of PostgreSQL from before data keys a secret, and seals its rows with that, in one statement. Resolves
 * with false, and has changed nothing, if the session has another owner or epoch.
 *
 * @param from seals its rows
 * @param to wraps its secret
 */
export async function convert(
  sql: Sql,
  session: string,
  numero: string,
  from: Cipher,
  to: Cipher,
  fence?: Fence,
): Promise<boolean> {
  const secret = newSecret(to, numero);
  const sealers = [earlierSealer(from, numero), sealerOf(to, numero, secret)] as const;
  const keys = await sql<Row>`SELECT type, id, value FROM key WHERE session = ${session}`;
  const archive = await sql<Row>`SELECT type, id, value FROM archive WHERE session = ${session}`;
  const rows = await sql`
    WITH mine AS (
      UPDATE session SET secret = ${secret}
      WHERE id = ${session} AND secret IS NULL
      AND (${fence === undefined} OR owner = ${fence?.owner ?? null} AND epoch = ${fence?.epoch ?? 0}) RETURNING id
    ), keys AS (
      UPDATE key SET id = row.id, value = row.value
      FROM mine, json_to_recordset(${JSON.stringify(converted('key', keys, ...sealers))}::text::json)
        AS row (type text, "from" text, id text, value text)
      WHERE key.session = mine.id AND key.type = row.type AND key.id = row."from"
    ), archives AS (
      UPDATE archive SET value = row.value
      FROM mine, json_to_recordset(${JSON.stringify(converted('archive', archive, ...sealers))}::text::json)
        AS row (type text, id text, value text)
      WHERE archive.session = mine.id AND archive.type = row.type AND archive.id = row.id
    )
    SELECT 1 FROM mine`;
  return rows.length > 0;
}
