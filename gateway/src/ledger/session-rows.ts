import { STATES, type WireDetails } from '../../../src/wire.ts';
import { numeroKey } from '../numbers.ts';
import type { Cipher } from './cipher.ts';
import type { Sql } from './database.ts';

/*
 * The statements about the rows of the sessions that gateways share; each rejects with PostgreSQL's error. Notices come
 * sealed.
 */

/**
 * The channel on which gateways announce changes, with PostgreSQL's NOTIFY. Whoever may connect to the database can
 * listen and notify on it, without rights on any table, so notices are sealed
 * (https://www.postgresql.org/docs/current/sql-notify.html).
 */
export const CHANNEL = 'whatsapp_operadores';

/** This process as a member of the cluster, until it loses its lease. */
export interface Membership {
  readonly sql: Sql;
  /** The id of its row in `node`. */
  readonly id: string;
  /** Seals its notices and calls to other gateways. */
  readonly cipher: Cipher;
  /** Returns the sealed notice that the row of a session was added or removed. */
  readonly rowNotice: (numero: string) => string;
}

/** The state of a session that no gateway has room for. */
export const NO_ROOM = 'SIN SERVIDOR: ninguno tiene capacidad para esta sesión';

/** The state of a connected session while no gateway owns it, or this one may not act for its sessions. */
export const UNASSIGNED = 'SIN SERVIDOR: vuelve en cuanto haya uno...';

/** What panels see of a row. */
export interface SessionRow {
  /** The key of its numero. */
  readonly id: string;
  readonly numero: string;
  readonly state: string;
  readonly qr: string | null;
  readonly waiting: boolean;
  /** As gateways write it; somebody may have stored other JSON by hand. */
  readonly details: unknown;
  readonly place: string;
  readonly version: string;
  /** The id of the node that owns it. */
  readonly owner: string | null;
}

/** A row that this process has just made its own. */
export interface ClaimedRow extends SessionRow {
  readonly leaving: boolean;
  readonly epoch: string;
}

/** A change of a row, and its part of the notification. */
export interface RowChange extends Pick<SessionRow, 'id' | 'state' | 'qr' | 'waiting'> {
  readonly epoch: string;
  readonly version: number;
  readonly details: WireDetails;
  readonly notice: string;
  /** The number of the notification that holds the notice. */
  readonly chunk: number;
}

/** How many sessions there are, how many nobody owns, and which this process owns, with their epochs. */
export interface Census {
  readonly total: number;
  readonly unassigned: number;
  readonly owned: Readonly<Record<string, string>>;
}

/** Most sessions of one claim: claiming must not delay the heartbeats. */
export const MOST_AT_ONCE = 500;

export function readRows(sql: Sql, numeros: readonly string[] | undefined): Promise<SessionRow[]> {
  return sql<SessionRow>`
    SELECT id, numero, state, qr, waiting, details, place, version, owner FROM session
    WHERE ${numeros === undefined} OR numero = ANY (${numeros ?? []})`;
}

export async function takeCensus({ sql, id }: Membership): Promise<Census> {
  const [census] = await sql<Census>`
    SELECT count(*)::int AS total, count(*) FILTER (WHERE owner IS NULL)::int AS unassigned,
      coalesce(jsonb_object_agg(id, epoch::text) FILTER (WHERE owner = ${id}), '{}') AS owned
    FROM session`;
  return census ?? { total: 0, unassigned: 0, owned: {} };
}

/**
 * Makes unassigned sessions this process's own, the oldest first, and orphans: rows that name it as their owner, but
 * that it does not know to own, because the outcome of an earlier statement is unknown. None of them is connected before
 * this process has connected it.
 */
export function claim(
  { sql, id }: Membership,
  room: number,
  orphans: readonly string[] = [],
): Promise<ClaimedRow[]> {
  const most = Math.min(room, MOST_AT_ONCE);
  return sql<ClaimedRow>`
    UPDATE session
    SET owner = ${id}, epoch = nextval('session_epoch'),
      state = CASE state WHEN ${STATES.connected} THEN ${UNASSIGNED} ELSE state END
    WHERE owner = ${id} AND id = ANY (${[...orphans]}) OR id IN (
      SELECT id FROM session WHERE owner IS NULL ORDER BY place LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) RETURNING id, numero, state, qr, waiting, details, leaving, place, version, owner, epoch`;
}

/**
 * Creates a session for this process, and announces it to all gateways, which have to know it even if this process dies
 * before its first push. Returns no row if the number already has a session.
 */
export function create({ sql, id, rowNotice }: Membership, numero: string): Promise<ClaimedRow[]> {
  return sql<ClaimedRow>`
    WITH created AS (
      INSERT INTO session (id, numero, owner, epoch, state, waiting)
      VALUES (${numeroKey(numero)}, ${numero}, ${id}, nextval('session_epoch'), ${STATES.authenticating}, true)
      ON CONFLICT (id) DO NOTHING RETURNING id, numero, state, qr, waiting, details, leaving, place, version, owner, epoch
    )
    SELECT created.*, pg_notify(${CHANNEL}, ${rowNotice(numero)})::text FROM created`;
}

/** Gives a session of this process up: it is not connected any more. */
export async function release(
  { sql, id }: Membership,
  numero: string,
  epoch: string,
  notice: string,
): Promise<void> {
  await sql`
    WITH freed AS (
      UPDATE session
      SET owner = NULL, state = CASE state WHEN ${STATES.connected} THEN ${UNASSIGNED} ELSE state END,
        version = version + 1
      WHERE id = ${numeroKey(numero)} AND owner = ${id} AND epoch = ${epoch} RETURNING id
    )
    SELECT pg_notify(${CHANNEL}, ${notice}) FROM freed LIMIT 1`;
}

/** Announces that a session is removed, if it is. */
export async function announceRemoved({ sql, rowNotice }: Membership, numero: string): Promise<void> {
  await sql`
    SELECT pg_notify(${CHANNEL}, ${rowNotice(numero)})
    WHERE NOT EXISTS (SELECT FROM session WHERE id = ${numeroKey(numero)})`;
}

/**
 * Writes changes of this process's sessions and notifies all gateways of them, in order. Returns the ids of the rows
 * that were written: those that it still owns in the same epoch.
 */
export async function writeChanges(
  { sql, id }: Membership,
  changes: readonly RowChange[],
): Promise<Set<string>> {
  const [result] = await sql<{ owned: string[] }>`
    WITH incoming AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb) AS row (
        id text, epoch bigint, version bigint, state text, qr text, waiting boolean, details jsonb, notice text,
        chunk int
      )
    ), written AS (
      UPDATE session
      SET state = row.state, qr = row.qr, waiting = row.waiting, details = row.details, version = row.version
      FROM incoming AS row
      WHERE session.id = row.id AND session.owner = ${id} AND session.epoch = row.epoch
        AND session.version <= row.version
      RETURNING session.id
    ), notified AS (
      SELECT pg_notify(${CHANNEL}, string_agg(notice, ' '))
      FROM incoming JOIN written USING (id) GROUP BY chunk ORDER BY chunk
    )
    SELECT ARRAY(SELECT id FROM written) AS owned, (SELECT count(*) FROM notified) AS notices`;
  return new Set(result?.owned);
}

/** Sets the states of unassigned sessions to the one for a lack of room, except those that only a person can start. */
export async function markUnassigned({ sql }: Membership, notice: string): Promise<void> {
  await sql`
    WITH marked AS (
      UPDATE session
      SET state = ${NO_ROOM}, qr = NULL, waiting = false, details = details - 'since' - 'reason' - 'codeExpires' - 'passkey',
        version = version + 1
      WHERE id IN (
        SELECT id FROM session
        WHERE owner IS NULL AND (
          waiting OR qr IS NOT NULL OR details -> 'passkey' IS NOT NULL OR state IN (${STATES.connected}, ${UNASSIGNED})
        )
        ORDER BY place LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED
      ) RETURNING 1
    )
    SELECT pg_notify(${CHANNEL}, ${notice}) FROM marked LIMIT 1`;
}

export async function isUnassigned(sql: Sql, numero: string): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM session WHERE id = ${numeroKey(numero)} AND owner IS NULL`;
  return rows.length > 0;
}

/** Returns the node that owns a session, nulls if none does; undefined if there is no such session. */
export async function ownerOf(sql: Sql, numero: string) {
  // A text of PostgreSQL cannot contain this character.
  if (numero.includes('\0')) return undefined;
  const [row] = await sql<{ id: string | null; url: string | null }>`
    SELECT node.id, node.url FROM session LEFT JOIN node ON node.id = session.owner
    WHERE session.id = ${numeroKey(numero)}`;
  return row;
}

export async function notify(sql: Sql, notice: string): Promise<void> {
  await sql`SELECT pg_notify(${CHANNEL}, ${notice})`;
}
