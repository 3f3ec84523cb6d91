import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PATIENCE } from '../../../test/support/patience.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { PushedList, shownOf } from '../support/sessions-lab.ts';
import { startLists } from './support/cache-lab.ts';
import { addNode, startTables } from './support/tables.ts';

const NUMERO = '5215550001111';

/** What happens to the row, and whether its gateway hears of it. */
const steps = fc.array(
  fc.record({
    change: fc.constantFrom('state', 'state', 'delete', 'replace', 'listen again'),
    isHeard: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);

interface Row {
  readonly state: string;
  readonly place: string;
  readonly version: string;
}

test('a gateway that hears only some notifications lists what the table has, and panels show it', async (t) => {
  const { sql } = await startTables(t);
  const owner = await addNode(sql);
  const create = () => sql`
    INSERT INTO session (id, numero, owner, state, waiting) VALUES (${NUMERO}, ${NUMERO}, ${owner}, 'new', true)
    ON CONFLICT DO NOTHING`;
  const remove = () => sql`DELETE FROM session`;

  const property = fc.asyncProperty(fc.scheduler(), steps, async (scheduler, todo) => {
    await remove();
    const reads: Promise<unknown>[] = [];
    // Rows are read late, and arrive late.
    const late: Sql = <Found extends object>(texts: TemplateStringsArray, ...values: readonly unknown[]) => {
      const read = async () => {
        await scheduler.schedule(Promise.resolve(), 'read');
        const rows = await sql<Found>(texts, ...values);
        await scheduler.schedule(Promise.resolve(), 'rows');
        return rows;
      };
      const rows = read();
      reads.push(rows);
      return rows;
    };
    const panel = new PushedList();
    const lists = startLists(late, (push) => panel.hear(push));
    let count = 0;
    const change = async () => {
      count += 1;
      const [row] = await sql<Row>`
        UPDATE session SET state = ${`state ${count}`}, version = version + 1 RETURNING state, place, version`;
      return row;
    };
    const run = async ({ change: what, isHeard }: (typeof todo)[number]) => {
      if (what === 'state') {
        const row = await change();
        if (!row || !isHeard) return;
        const { state, place, version } = row;
        const session = { numero: NUMERO, state, waiting: true };
        lists.hearChange(session, { place: Number(place), version: Number(version) });
        return;
      }
      if (what === 'listen again') return lists.listenAgain();
      await remove();
      if (what === 'replace') await create();
      if (isHeard) lists.hearRow(NUMERO);
    };
    await create();
    const sequence = scheduler.scheduleSequence([
      ...todo.map((step) => ({
        label: `${step.change}${step.isHeard ? '' : ' unheard'}`,
        builder: () => run(step),
      })),
      { label: 'listen again', builder: async () => lists.listenAgain() },
    ]);
    const settled = sequence.task.then(() => lists.settled());
    // Nobody waits for what was read before it listened again: that may arrive last.
    await scheduler.waitFor(settled.then(() => Promise.all(reads)));
    assert.ok(!sequence.faulty, 'a step failed');
    const rows = await sql<Row>`SELECT state, place, version FROM session`;
    const states = (list: readonly { state: string }[]) => list.map(({ state }) => state);
    assert.deepEqual(states(lists.list()), states(rows));
    assert.deepEqual(panel.faults, []);
    assert.deepEqual(panel.list(), lists.list().map(shownOf));
  });
  // A run that hangs fails, and is not tried with fewer steps, which might hang as well.
  await fc.assert(property, { numRuns: 60, timeout: PATIENCE, endOnFailure: true });
});
