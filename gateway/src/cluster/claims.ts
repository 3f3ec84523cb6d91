import type { WireListItem } from '../../../src/wire.ts';
import { STATES } from '../../../src/wire.ts';
import type { SeedRow } from '../engines/simulated/seeds.ts';
import { LINKED } from '../engines/simulated/stored-phones.ts';
import { numeroKey } from '../sessions/numbers.ts';
import { NO_ROOM, UNCARRIED } from '../sessions/transitions.ts';
import type { Cipher } from '../store/cipher.ts';
import type { Database, Sql } from '../store/postgres/database.ts';
import type { Membership } from '../store/postgres/membership.ts';
import { CREDENTIALS } from '../store/session-store.ts';
import { CHANNEL, sealNotice } from './notices.ts';
import { type RowVersion, type SessionRow, sessionOf, versionOf } from './rows.ts';

/** A session that this process has just claimed. */
export interface Claimed {
  readonly session: WireListItem;
  readonly leaving: boolean;
  readonly row: RowVersion;
}

interface ClaimedRow extends SessionRow {
  readonly leaving: boolean;
}

/*
 * All of these reject with PostgreSQL's error. The statement may have taken effect nevertheless, so callers free the
 * strays afterwards.
 */

/** Most sessions of one claim: claiming must not delay the beats. */
const MOST_AT_ONCE = 500;

/** Claims free sessions, the oldest first; not all of many at once. */
export async function claim({ sql, id }: Membership, room: number): Promise<Claimed[]> {
  const most = Math.min(room, MOST_AT_ONCE);
  const rows = await sql<ClaimedRow>`
    UPDATE session SET owner = ${id} WHERE id IN (
      SELECT id FROM session WHERE owner IS NULL ORDER BY place LIMIT ${most} FOR UPDATE SKIP LOCKED
    ) RETURNING numero, state, qr, waiting, details, leaving, place, version`;
  return rows.map(claimedOf);
}

/**
 * Creates a session for this process, and announces it to all gateways, which have to know it even if this process dies
 * before its first push. Returns undefined if the number already has a session.
 */
export async function create({ sql, id, cipher }: Membership, numero: string): Promise<Claimed | undefined> {
  const [row] = await sql<ClaimedRow>`
    WITH created AS (
      INSERT INTO session (id, numero, owner, state, waiting)
      VALUES (${numeroKey(numero)}, ${numero}, ${id}, ${STATES.authenticating}, true)
      ON CONFLICT (id) DO NOTHING RETURNING numero, state, qr, waiting, details, leaving, place, version
    )
    SELECT created.*, pg_notify(${CHANNEL}, ${sealNotice(cipher, { type: 'rows', numero })})::text FROM created`;
  return row && claimedOf(row);
}

/** Returns the number of all sessions, whoever carries them: this gateway may not have heard of all of them. */
export async function count({ sql }: Membership): Promise<number> {
  const [row] = await sql<{ total: number }>`SELECT count(*)::int AS total FROM session`;
  return row?.total ?? 0;
}

/** Creates sessions that nobody carries yet, in a database without sessions. */
export async function plant(database: Database, seeds: readonly SeedRow[]): Promise<void> {
  await database.begin(async (tx) => {
    const [some] = await tx`SELECT 1 FROM session LIMIT 1`;
    if (some) return;
    for (const { numero, linked, state } of seeds) {
      const id = numeroKey(numero);
      await tx`
        INSERT INTO session (id, numero, state, waiting) VALUES (${id}, ${numero}, ${state}, ${linked})
        ON CONFLICT (id) DO NOTHING`;
      if (!linked) continue;
      const { type, id: name } = CREDENTIALS;
      await tx`
        INSERT INTO key (session, type, id, value) VALUES (${id}, ${type}, ${name}, ${LINKED})
        ON CONFLICT DO NOTHING`;
    }
  });
}

/** Frees a session of this process. */
export async function free({ sql, id, cipher }: Membership, numero: string): Promise<void> {
  await sql`
    WITH freed AS (
      UPDATE session
      SET owner = NULL, state = CASE state WHEN ${STATES.connected} THEN ${UNCARRIED} ELSE state END,
        version = version + 1
      WHERE id = ${numeroKey(numero)} AND owner = ${id} RETURNING id
    )
    SELECT pg_notify(${CHANNEL}, ${freed(cipher, numero)}) FROM freed LIMIT 1`;
}

/** Frees the sessions of this process except those that it carries. */
export async function freeStrays({ sql, id, cipher }: Membership, carried: readonly string[]): Promise<void> {
  await sql`
    WITH freed AS (
      UPDATE session
      SET owner = NULL, state = CASE state WHEN ${STATES.connected} THEN ${UNCARRIED} ELSE state END,
        version = version + 1
      WHERE owner = ${id} AND id <> ALL (${carried.map(numeroKey)}::text[]) RETURNING id
    )
    SELECT pg_notify(${CHANNEL}, ${freed(cipher)}) FROM freed LIMIT 1`;
}

/** Returns the sessions that this process carries but does not own, because somebody changed the table by hand. */
export async function findLost({ sql, id }: Membership, carried: readonly string[]): Promise<string[]> {
  const rows = await sql<{ numero: string }>`
    SELECT carried.numero
    FROM unnest(${carried.map(numeroKey)}::text[], ${[...carried]}::text[]) AS carried (id, numero)
    LEFT JOIN session USING (id) WHERE session.owner IS DISTINCT FROM ${id}::uuid`;
  return rows.map(({ numero }) => numero);
}

/** Announces to all gateways that a session is removed, if it is. */
export async function announceRemoved({ sql, cipher }: Membership, numero: string): Promise<void> {
  await sql`
    SELECT pg_notify(${CHANNEL}, ${sealNotice(cipher, { type: 'rows', numero })})
    WHERE NOT EXISTS (SELECT FROM session WHERE id = ${numeroKey(numero)})`;
}

/** Sets the states of sessions that nobody carries to the one for a lack of room. */
export async function markHomeless({ sql, cipher }: Membership): Promise<void> {
  await sql`
    WITH marked AS (
      UPDATE session
      SET state = ${NO_ROOM}, qr = NULL, waiting = false, details = details - 'since' - 'reason' - 'codeExpires',
        version = version + 1
      WHERE id IN (
        SELECT id FROM session
        WHERE owner IS NULL AND (waiting OR qr IS NOT NULL OR state IN (${STATES.connected}, ${UNCARRIED}))
        ORDER BY place LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED
      ) RETURNING 1
    )
    SELECT pg_notify(${CHANNEL}, ${sealNotice(cipher, { type: 'rows' })}) FROM marked LIMIT 1`;
}

/** Whether a session exists that nobody carries. */
export async function isFree(sql: Sql, numero: string): Promise<boolean> {
  const rows = await sql`SELECT 1 FROM session WHERE id = ${numeroKey(numero)} AND owner IS NULL`;
  return rows.length > 0;
}

/** Who carries a session. */
export interface Owner {
  readonly id: string | null;
  readonly url: string | null;
}

/** Returns who carries a session; undefined if there is no such session. */
export async function ownerOf(sql: Sql, numero: string): Promise<Owner | undefined> {
  // PostgreSQL's text cannot hold it.
  if (numero.includes('\0')) return undefined;
  const [row] = await sql<Owner>`
    SELECT node.id, node.url FROM session LEFT JOIN node ON node.id = session.owner
    WHERE session.id = ${numeroKey(numero)}`;
  return row;
}

/** Returns the notices that a session, or any, is free: gateways may claim it, and panels see that nobody carries it. */
function freed(cipher: Cipher, numero?: string): string {
  const rows = sealNotice(cipher, { type: 'rows', ...(numero !== undefined && { numero }) });
  return `${sealNotice(cipher, { type: 'free' })} ${rows}`;
}

function claimedOf(row: ClaimedRow): Claimed {
  const session = sessionOf(row);
  // As its last process left it.
  if (session.state === UNCARRIED) session.state = STATES.connected;
  return { session, leaving: row.leaving, row: versionOf(row) };
}
