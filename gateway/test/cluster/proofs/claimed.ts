import assert from 'node:assert/strict';
import { claim } from '../../../src/ledger/session-rows.ts';
import { memberOf } from '../support/member.ts';
import { addNode, connectTables, startTables } from '../support/tables.ts';
import { type Proof, seconds } from './proof.ts';

const FREE = 5_000;

/** Two gateways claim free sessions at once: each session gets one owner. */
export const claimed: Proof = async (scope, { random }) => {
  const { url, sql } = await startTables(scope);
  await sql`
    INSERT INTO session (id, numero, state, waiting)
    SELECT '52155' || n, '52155' || n, 'DESCONECTADO', false FROM generate_series(10000000, ${10_000_000 + FREE - 1}) n`;
  const begun = performance.now();
  const takings = await Promise.all(
    [1, 2].map(async () => {
      const { sql: own } = await connectTables(scope, url);
      const member = memberOf(own, await addNode(sql));
      const mine: string[] = [];
      for (;;) {
        const batch = await claim(member, random.integer(1, 100));
        if (batch.length === 0) return { ...member, mine };
        mine.push(...batch.map(({ numero }) => numero));
      }
    }),
  );
  const time = performance.now() - begun;
  assert.equal(new Set(takings.flatMap(({ mine }) => mine)).size, FREE);
  for (const { id, mine } of takings) {
    assert.ok(mine.length > 0);
    const owned = await sql<{ numero: string }>`SELECT numero FROM session WHERE owner = ${id}`;
    assert.deepEqual(owned.map(({ numero }) => numero).sort(), mine.sort());
  }
  const counts = takings.map(({ mine }) => mine.length);
  return `${FREE} sessions claimed by two gateways in ${seconds(time)}: ${counts.join(' and ')}, none twice`;
};
