import { STATES } from '../../../src/wire.ts';
import type { Sql } from './database.ts';
import { CHANNEL, UNASSIGNED } from './session-rows.ts';

/*
 * The statements about the gateways on a database; each rejects with PostgreSQL's error. Notices come sealed.
 */

/** What each gateway tells the others about itself. */
export interface NodeInfo {
  readonly url: string;
  readonly version: string;
  /** Seconds without a heartbeat after which others take its sessions. */
  readonly lease: number;
  /** Most sessions that it owns; undefined for no limit. */
  readonly capacity: number | undefined;
  /** Whether it hands its sessions over. */
  readonly draining: boolean;
}

/** A row of the table `node`, as of the last heartbeat. */
export interface NodeRow extends Pick<NodeInfo, 'url' | 'lease' | 'draining'> {
  readonly id: string;
  readonly capacity: number | null;
  readonly sessions: number;
  /** Increases with each heartbeat; only changes matter. */
  readonly beats: string;
}

/** A row with what only operators look at. */
export interface NodeReport extends NodeRow {
  readonly version: string;
  /** Seconds since its last heartbeat, by the database's clock. */
  readonly age: number;
}

export async function addNode(sql: Sql, id: string, info: NodeInfo): Promise<void> {
  const { url, version, lease, capacity = null, draining } = info;
  await sql`
    INSERT INTO node (id, url, version, lease, capacity, draining)
    VALUES (${id}, ${url}, ${version}, ${lease}, ${capacity}, ${draining})`;
}

/** Writes a heartbeat, and returns all nodes. @param sessions how many the node owns */
export function beat(sql: Sql, id: string, sessions: number): Promise<NodeRow[]> {
  return sql<NodeRow>`
    WITH mine AS (
      UPDATE node SET beats = beats + 1, beaten = now(), sessions = ${sessions} WHERE id = ${id}
    )
    SELECT id, url, lease, capacity, draining, sessions, beats FROM node`;
}

/**
 * Deletes a node. Nobody owns its sessions then, and none of them is connected. With `beats`, only if it has not beaten
 * since.
 */
export async function deleteNode(sql: Sql, id: string, notice: string, beats?: string): Promise<void> {
  await sql`
    WITH deleted AS (
      DELETE FROM node WHERE id = ${id} AND beats = coalesce(${beats ?? null}, beats) RETURNING id
    ), freed AS (
      UPDATE session SET owner = NULL, state = ${UNASSIGNED}, version = session.version + 1
      FROM deleted WHERE session.owner = deleted.id AND session.state = ${STATES.connected}
    )
    SELECT pg_notify(${CHANNEL}, ${notice}) FROM deleted`;
}

/** Returns all nodes with the numbers of sessions that they own, and how many sessions nobody owns. */
export async function reportNodes(sql: Sql) {
  const nodes = await sql<NodeReport>`
    SELECT id, url, version, lease, capacity, draining, beats,
      extract(epoch FROM clock_timestamp() - beaten)::float8 AS age,
      (SELECT count(*)::int FROM session WHERE owner = node.id) AS sessions
    FROM node ORDER BY url, id`;
  const [row] = await sql<{ count: number }>`SELECT count(*)::int AS count FROM session WHERE owner IS NULL`;
  return { nodes, unassigned: row?.count ?? 0 };
}

export async function drainNode(sql: Sql, id: string, notice: string): Promise<void> {
  await sql`
    WITH drained AS (UPDATE node SET draining = true WHERE id = ${id} RETURNING id)
    SELECT pg_notify(${CHANNEL}, ${notice}) FROM drained`;
}
