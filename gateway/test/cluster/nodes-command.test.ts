import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import { drain, listNodes, rotate } from '../../src/cluster/nodes-command.ts';
import { type Notice, openNotices } from '../../src/cluster/notices.ts';
import { PLAIN } from '../../src/ledger/cipher.ts';
import { agree, readSecretCipher } from '../../src/ledger/cluster-row.ts';
import { connectPostgres, listen, type Sql } from '../../src/ledger/database.ts';
import { prepareTables } from '../../src/ledger/database-schema.ts';
import { CHANNEL } from '../../src/ledger/session-rows.ts';
import { freshDatabase } from './support/postgres.ts';

const A = 'aaaa1111-0000-4000-8000-000000000000';
const B = 'aaaa2222-0000-4000-8000-000000000000';
const C = 'cccc3333-0000-4000-8000-000000000000';

interface Node {
  readonly id: string;
  readonly url: string;
  readonly sessions: number;
  readonly capacity?: number;
  readonly draining?: boolean;
}

/** Starts a database with gateways that own sessions, and sessions that nobody owns. */
async function startCluster(
  scope: Scope,
  nodes: readonly Node[],
  free = 0,
): Promise<{ url: string; sql: Sql }> {
  const url = await freshDatabase();
  const database = await connectPostgres(url, { max: 2, name: 'test' });
  scope.after(() => database.end());
  await prepareTables(database);
  await agree(database, 'whatsapp', PLAIN);
  const { sql } = database;
  for (const { id, url, sessions, capacity = null, draining = false } of nodes) {
    await sql`
      INSERT INTO node (id, url, version, lease, capacity, draining, beaten)
      VALUES (${id}, ${url}, '0.1.0', 15, ${capacity}, ${draining}, now() - interval '2 seconds')`;
    await addSessions(sql, id, sessions);
  }
  await addSessions(sql, null, free);
  return { url, sql };
}

async function addSessions(sql: Sql, owner: string | null, count: number): Promise<void> {
  await sql`
    INSERT INTO session (id, numero, owner, state, waiting)
    SELECT gen_random_uuid(), '5215550001111', ${owner}, 'CONNECTED', false FROM generate_series(1, ${count})`;
}

async function drained(url: string, wanted: string): Promise<{ isEmpty: boolean; lines: string[] }> {
  const lines: string[] = [];
  return { isEmpty: await drain(url, wanted, (line) => lines.push(line)), lines };
}

/** Returns what gateways are told from now on. */
async function hearNotices(scope: Scope, url: string, sql: Sql): Promise<Notice[]> {
  const notices: Notice[] = [];
  const cipher = await readSecretCipher(sql);
  const hear = (text: string) => notices.push(...(openNotices(cipher, text) ?? []));
  const listener = await listen(url, 'test', CHANNEL, hear, () => {});
  scope.after(() => listener.end());
  return notices;
}

describe('nodes', () => {
  test('lists the gateways with their sessions, and what nobody owns', async (t) => {
    const { url, sql } = await startCluster(
      t,
      [
        { id: A, url: 'http://10.0.0.5:8080', sessions: 7 },
        { id: B, url: 'http://10.0.0.6:8080', sessions: 2, capacity: 2 },
        { id: C, url: 'http://10.0.0.7:8080', sessions: 0 },
      ],
      1,
    );
    // The age is of the database's clock, and a busy machine may take a while.
    const lines = async () => (await listNodes(url)).map((line) => line.replace(/\d+ s ago/, 'N s ago'));
    assert.deepEqual(await lines(), [
      'node      sessions  last beat  version  url',
      'aaaa1111  7         N s ago    0.1.0    http://10.0.0.5:8080',
      'aaaa2222  2         N s ago    0.1.0    http://10.0.0.6:8080',
      'cccc3333  0         N s ago    0.1.0    http://10.0.0.7:8080',
      'Owned by nobody: 1 session.',
    ]);
    await sql`UPDATE node SET draining = true WHERE id = ${A}`;
    assert.match((await lines()).join('\n'), /^aaaa1111 +7, draining +N s ago /m);
  });

  test('says of a database that no gateway has used what to do', async () => {
    const url = await freshDatabase();
    await assert.rejects(listNodes(url), {
      name: 'DatabaseError',
      message: 'No gateway has used this database yet: start one with --database.',
    });
  });
});

test('rotate changes the secret, and tells the gateways with the old one', async (t) => {
  const { url, sql } = await startCluster(t, []);
  const old = await readSecretCipher(sql);
  const notices = await hearNotices(t, url, sql);
  await rotate(url);
  await until(() => notices.length > 0, 'a notice');
  assert.deepEqual(notices, [{ type: 'secret' }]);
  assert.notEqual((await readSecretCipher(sql)).id, old.id);
});

describe('drain', () => {
  test('has a gateway give its sessions away, tells all, and ends when none is left', async (t) => {
    const { url, sql } = await startCluster(t, [
      { id: A, url: 'http://10.0.0.5:8080', sessions: 2 },
      { id: C, url: 'http://10.0.0.7:8080', sessions: 0 },
    ]);
    const notices = await hearNotices(t, url, sql);
    const ended = drained(url, 'http://10.0.0.5:8080/');
    await until(() => notices.length > 0, 'a notice');
    assert.deepEqual(notices, [{ type: 'nodes' }]);
    const rows = await sql`SELECT id FROM node WHERE draining`;
    assert.deepEqual([...rows], [{ id: A }]);

    await sql`UPDATE session SET owner = ${C}`;
    const { isEmpty, lines } = await ended;
    assert.ok(isEmpty);
    assert.deepEqual(lines, ['The gateway at http://10.0.0.5:8080 owns no sessions: stop it when you like.']);
    assert.ok((await drained(url, 'aaaa')).isEmpty);
  });

  test('ends with a sentence when all other gateways are draining', async (t) => {
    const { url } = await startCluster(t, [
      { id: A, url: 'http://10.0.0.5:8080', sessions: 3 },
      { id: C, url: 'http://10.0.0.7:8080', sessions: 4, draining: true },
    ]);
    assert.deepEqual((await drained(url, A)).lines, [
      'The gateway at http://10.0.0.5:8080 keeps 3 sessions: all others are draining or stopped. Start one.',
    ]);
  });

  test('ends with a sentence when no other gateway has room', async (t) => {
    const { url } = await startCluster(t, [
      { id: A, url: 'http://10.0.0.5:8080', sessions: 3 },
      { id: C, url: 'http://10.0.0.7:8080', sessions: 4, capacity: 4 },
    ]);
    assert.deepEqual(await drained(url, A), {
      isEmpty: false,
      lines: [
        'The gateway at http://10.0.0.5:8080 keeps 3 sessions: no other one has room. Start another, or raise --max-sessions.',
      ],
    });
  });

  test('refuses a gateway that is not there, or not the only one of that name', async (t) => {
    const { url } = await startCluster(t, [
      { id: A, url: 'http://10.0.0.5:8080', sessions: 0 },
      { id: B, url: 'http://10.0.0.6:8080', sessions: 0 },
    ]);
    await assert.rejects(drained(url, 'http://10.0.0.9:8080'), {
      message: 'No gateway has that id or URL: nodes lists them.',
    });
    await assert.rejects(drained(url, 'AAAA'), {
      message: "Several gateways have such an id or URL: give more of one's id, from nodes.",
    });
  });
});
