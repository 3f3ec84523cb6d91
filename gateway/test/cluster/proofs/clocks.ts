import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { built } from '../../support/built.ts';
import { type ClusterLab, layOutCluster } from '../support/cluster-lab.ts';
import { SHORT_LEASE } from '../support/lease.ts';
import { verbatim } from '../support/postgres.ts';
import type { Proof } from './proof.ts';

const SHIFTED_CLOCK = built('test/preloads/shifted-clock');
const HOURS = [1, -1];

/** One gateway's clock, and then the database's, is an hour off: nothing moves. */
export const clocks: Proof = async (scope, { numeros }) => {
  const lab = await layOutCluster(scope, { nodes: 1, lease: SHORT_LEASE });
  for (const hours of HOURS) {
    await lab.add([], { imports: SHIFTED_CLOCK, env: { WO_TEST_HOURS: String(hours) } });
  }
  await lab.linkMany(numeros);
  await lab.even();
  await lab.allConnected();
  await nothingMoves(lab);
  for (const hours of HOURS) {
    await shiftDatabase(lab, hours);
    await nothingMoves(lab);
  }
  await lab.everyMessageDecrypts();
  lab.noSecondLogin();
  lab.noNewRegistration();
  return `${HOURS.length} gateways and a database an hour off, 0 moves, 0 logins`;
};

async function nothingMoves(lab: ClusterLab): Promise<void> {
  const owners = await lab.owners();
  const { logins } = lab;
  await wait((lab.lease + 3) * 1_000);
  await lab.allConnected();
  assert.deepEqual(await lab.owners(), owners, 'owners');
  assert.equal(lab.logins, logins, 'logins');
}

/** Shadows the functions that read the database's clock, and has every gateway connect anew. */
function shiftDatabase(lab: ClusterLab, hours: number): Promise<unknown> {
  const clocks = ['now', 'clock_timestamp', 'transaction_timestamp', 'statement_timestamp'];
  return lab.query(async (sql) => {
    for (const clock of clocks) {
      await sql(
        verbatim(
          `CREATE OR REPLACE FUNCTION public.${clock}() RETURNS timestamptz LANGUAGE sql
         AS $$ SELECT pg_catalog.${clock}() + interval '${hours} hours' $$`,
        ),
      );
    }
    const [row] = await sql<{ name: string }>`SELECT current_database() AS name`;
    await sql(verbatim(`ALTER DATABASE ${row?.name} SET search_path = public, pg_catalog`));
    await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  });
}
