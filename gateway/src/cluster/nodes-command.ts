import { setTimeout as wait } from 'node:timers/promises';
import { changeSecret, readSecretCipher } from '../ledger/cluster-row.ts';
import type { Sql } from '../ledger/database.ts';
import { DatabaseError, withDatabase } from '../ledger/database-error.ts';
import { checkUsed } from '../ledger/database-schema.ts';
import { drainNode, type NodeReport, reportNodes } from '../ledger/node-rows.ts';
import { inColumns, sessionsIn } from '../terminal.ts';
import { sealNotice } from './notices.ts';

/** How often a drain counts the remaining sessions, in milliseconds. */
const INTERVAL = 500;

/** Returns a line for each gateway of a database. Rejects with a {@link DatabaseError}. */
export async function listNodes(database: string): Promise<string[]> {
  return withDatabase(database, async ({ sql }) => {
    const { nodes, unassigned } = await readCluster(sql);
    const lines = inColumns([['node', 'sessions', 'last beat', 'version', 'url'], ...nodes.map(rowOf)]);
    return unassigned > 0 ? [...lines, `Owned by nobody: ${sessionsIn(unassigned)}.`] : lines;
  });
}

/**
 * Makes a gateway hand its sessions to the others, and waits until it has none. Returns false if the others lack room.
 * Rejects with a {@link DatabaseError}.
 *
 * @param wanted the gateway's id, the beginning of it, or its URL
 * @param print takes one line of output
 */
export async function drain(
  database: string,
  wanted: string,
  print: (line: string) => void,
): Promise<boolean> {
  return withDatabase(database, async ({ sql }) => {
    const { id, url } = findNode((await readCluster(sql)).nodes, wanted);
    await drainNode(sql, id, sealNotice(await readSecretCipher(sql), { type: 'nodes' }));
    for (;;) {
      const { nodes } = await readCluster(sql);
      const node = nodes.find((other) => other.id === id);
      if (!node || node.sessions === 0) {
        print(`The gateway at ${url} owns no sessions: stop it when you like.`);
        return true;
      }
      if (!nodes.some(hasRoom)) {
        const why = nodes.every(({ draining }) => draining)
          ? 'all others are draining or stopped. Start one.'
          : 'no other one has room. Start another, or raise --max-sessions.';
        print(`The gateway at ${url} keeps ${sessionsIn(node.sessions)}: ${why}`);
        return false;
      }
      await wait(INTERVAL);
    }
  });
}

/**
 * Changes the secret with which the gateways of a database seal notices and calls. Running gateways switch to the new
 * one. Rejects with a {@link DatabaseError}.
 */
export async function rotate(database: string): Promise<void> {
  await withDatabase(database, async (shared) => {
    await readCluster(shared.sql);
    await changeSecret(shared, (old) => sealNotice(old, { type: 'secret' }));
  });
}

async function readCluster(sql: Sql) {
  await checkUsed(sql);
  return reportNodes(sql);
}

function rowOf({ id, url, version, sessions, age, draining }: NodeReport): string[] {
  return [
    id.slice(0, 8),
    draining ? `${sessions}, draining` : String(sessions),
    `${Math.max(0, Math.round(age))} s ago`,
    version,
    url,
  ];
}

function hasRoom({ draining, sessions, capacity }: NodeReport): boolean {
  return !draining && sessions < (capacity ?? Number.POSITIVE_INFINITY);
}

function findNode(nodes: readonly NodeReport[], wanted: string): NodeReport {
  const url = wanted.replace(/\/$/, '');
  const [node, ...others] = nodes.filter(
    (each) => each.url === url || each.id.startsWith(wanted.toLowerCase()),
  );
  if (!node) throw new DatabaseError('No gateway has that id or URL: nodes lists them.');
  if (others.length > 0) {
    throw new DatabaseError("Several gateways have such an id or URL: give more of one's id, from nodes.");
  }
  return node;
}
