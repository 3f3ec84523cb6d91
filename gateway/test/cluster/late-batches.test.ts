import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { STATES } from '../../../src/wire.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { memberOf } from './support/member.ts';
import { addNode, startTables } from './support/tables.ts';
import { startStates } from './support/writer-lab.ts';

/** Longer than the time between two batches, in milliseconds. */
const REST = 12;

/** A run that hangs fails, and is not tried with fewer steps, which might hang as well. */
const ENDS = { timeout: PATIENCE, endOnFailure: true };

/** What may happen next: a step is about the first or the second session, or about all. */
type Step = 'publish' | 'publish other' | 'replace' | 'drop' | 'settle' | 'rest' | 'lose lease';

/** Any step, but few that end everything. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom<Step>('publish', 'publish other', 'replace', 'settle') },
    { weight: 1, arbitrary: fc.constantFrom<Step>('rest', 'drop', 'lose lease') },
  ),
  { minLength: 2, maxLength: 12 },
);

/** Sessions of one process, and whether their rows and the calls that wait end as they have to. */
class Bench {
  readonly lost: string[] = [];
  readonly #sql: Sql;
  readonly #node: string;
  readonly #states;
  /** The last state of each session that is published. */
  readonly #last = new Map<string, string>();
  /** Calls that wait until everything is written. */
  readonly #settling: Promise<void>[] = [];
  #isMember = true;
  #count = 0;

  private constructor(sql: Sql, node: string, scheduler: fc.Scheduler) {
    this.#sql = sql;
    this.#node = node;
    // Batches reach the server late, and not at all once the connection is closed.
    const late: Sql = async <Row extends object>(
      texts: TemplateStringsArray,
      ...values: readonly unknown[]
    ) => {
      await scheduler.schedule(Promise.resolve(), 'batch');
      if (!this.#isMember) throw new Error('closed');
      return sql<Row>(texts, ...values);
    };
    this.#states = startStates(
      () => (this.#isMember ? memberOf(late, node) : undefined),
      (numero) => this.lost.push(numero),
      pino({ enabled: false }),
    );
  }

  static async open(sql: Sql, node: string, scheduler: fc.Scheduler): Promise<Bench> {
    await sql`DELETE FROM session`;
    const bench = new Bench(sql, node, scheduler);
    for (const numero of ['1', '2']) await bench.#create(numero);
    return bench;
  }

  async run(step: Step): Promise<void> {
    switch (step) {
      case 'publish':
        return this.#publish('1');
      case 'publish other':
        return this.#publish('2');
      case 'replace':
        await this.#delete('1');
        return this.#create('1');
      case 'drop':
        return this.#delete('2');
      case 'settle':
        this.#settling.push(this.#states.written());
        return;
      case 'rest':
        await wait(REST);
        return;
      case 'lose lease':
        this.#isMember = false;
        this.#states.dropAll();
    }
  }

  /** Resolves when every call that waits has ended, and everything is written. */
  async settled(): Promise<void> {
    await Promise.all([...this.#settling, this.#states.written()]);
  }

  /** Fails unless each row has the last state, and no session was taken for lost. */
  async check(): Promise<void> {
    assert.deepEqual(this.lost, [], 'taken for lost');
    if (!this.#isMember) return;
    const rows = await this.#sql<{ id: string; state: string }>`SELECT id, state FROM session ORDER BY id`;
    const last = [...this.#last].map(([id, state]) => ({ id, state }));
    assert.deepEqual(
      rows.map(({ id, state }) => ({ id, state })),
      last.sort((a, b) => Number(a.id) - Number(b.id)),
    );
  }

  #publish(numero: string): void {
    if (!this.#last.has(numero) || !this.#isMember) return;
    this.#count += 1;
    const state = `state ${this.#count}`;
    this.#last.set(numero, state);
    this.#states.publish({ numero, state, waiting: true });
  }

  async #create(numero: string): Promise<void> {
    const [row] = await this.#sql<{ epoch: string }>`
      INSERT INTO session (id, numero, owner, epoch, state, waiting)
      VALUES (${numero}, ${numero}, ${this.#node}, nextval('session_epoch'), 'new', true) RETURNING epoch`;
    this.#last.set(numero, 'new');
    if (this.#isMember) this.#states.take(numero, Number(row?.epoch));
  }

  async #delete(numero: string): Promise<void> {
    this.#states.publish({ numero, state: STATES.closing, waiting: true });
    await this.#sql`DELETE FROM session WHERE id = ${numero}`;
    this.#last.delete(numero);
    this.#states.drop(numero);
  }
}

/** Takes steps, and ends when nothing is under way. */
async function run(bench: Bench, scheduler: fc.Scheduler, todo: readonly Step[]): Promise<void> {
  const sequence = scheduler.scheduleSequence(
    todo.map((step) => ({ label: step, builder: () => bench.run(step) })),
  );
  await scheduler.waitFor(sequence.task.then(() => bench.settled()));
  assert.ok(!sequence.faulty, 'a step failed');
}

test('a late batch changes no later session, and none is taken for lost', async (t) => {
  const { sql } = await startTables(t);
  const node = await addNode(sql);
  const property = fc.asyncProperty(fc.scheduler(), steps, async (scheduler, todo) => {
    const bench = await Bench.open(sql, node, scheduler);
    await run(bench, scheduler, [...todo, 'settle', 'rest', 'settle']);
    await bench.check();
  });
  await fc.assert(property, { numRuns: 40, ...ENDS });
});

test('every call that waits for writes ends, also after a deletion or the end of the lease', async (t) => {
  const { sql } = await startTables(t);
  const node = await addNode(sql);
  const property = fc.asyncProperty(fc.scheduler(), steps, async (scheduler, todo) => {
    const bench = await Bench.open(sql, node, scheduler);
    await run(bench, scheduler, todo);
  });
  await fc.assert(property, { numRuns: 60, ...ENDS });
});
