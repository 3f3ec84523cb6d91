import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { RowReader } from '../../src/cluster/row-reader.ts';
import type { Sql } from '../../src/ledger/database.ts';
import type { SessionRow } from '../../src/ledger/session-rows.ts';

/** A reader of a table whose statements are answered by hand. */
function reading() {
  const statements: ((rows: SessionRow[] | Promise<never>) => void)[] = [];
  /** The parameters of each statement: whether it reads all rows, and otherwise which. */
  const wanted: unknown[][] = [];
  const taken: (readonly string[] | undefined)[] = [];
  const sql = ((_text: TemplateStringsArray, ...values: unknown[]) => {
    wanted.push(values);
    return new Promise((answer) => statements.push(answer));
  }) as unknown as Sql;
  const reader = new RowReader(
    () => sql,
    (_rows, numeros) => taken.push(numeros),
  );
  const answer = async (count: number, rows: () => SessionRow[] | Promise<never> = () => []) => {
    await until(() => statements.length === count, `statement ${count}`);
    statements.at(-1)?.(rows());
  };
  return { reader, statements, wanted, taken, answer };
}

test('what is asked for in one go is read once, and taken', async () => {
  const { reader, statements, taken, answer } = reading();
  const all = [reader.readAll(), reader.readAll()];
  reader.read('5');
  await answer(1);
  await Promise.all(all);
  assert.equal(statements.length, 1);
  assert.deepEqual(taken, [undefined]);
});

test('whoever asks for all rows again and again delays nothing', async () => {
  const { reader, statements, wanted, taken, answer } = reading();
  void reader.readAll();
  await answer(1);
  await until(() => taken.length === 1, 'the first reading');
  for (let time = 0; time < 1_000; time += 1) void reader.readAll();
  reader.read('5');
  await answer(2);
  await until(() => taken.length === 2, 'one row, before all of them');
  assert.deepEqual(taken, [undefined, ['5']]);
  await answer(3);
  await reader.settled();
  assert.equal(statements.length, 3);
  assert.deepEqual(wanted, [
    [true, []],
    [false, ['5']],
    [true, []],
  ]);
});

test('a reading that waits for a lost connection gives way', async () => {
  const { reader, statements, taken, answer } = reading();
  void reader.readAll();
  await until(() => statements.length === 1, 'the first statement');
  const anew = reader.readAnew();
  await answer(2);
  await anew;
  statements[0]?.([]);
  await reader.settled();
  assert.deepEqual(taken, [undefined]);
});

test('a reading that gives way has not ended before the one that takes its place', async () => {
  const { reader, statements, taken, answer } = reading();
  const ended: string[] = [];
  const first = reader.readAll().then(() => ended.push(`first, ${taken.length} taken`));
  await until(() => statements.length === 1, 'the first statement');
  const second = reader.readAnew();
  await until(() => statements.length === 2, 'the second statement');
  statements[0]?.([]);
  // Its own end takes fewer turns than this.
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(ended, []);
  await answer(2);
  await Promise.all([first, second]);
  assert.deepEqual(ended, ['first, 1 taken']);
});

test('a reading that fails is repeated, for the rows that it was for', async () => {
  const failure = () => Promise.reject(new Error('Connection terminated'));
  const { reader, taken, answer } = reading();
  reader.read('5');
  await answer(1, failure);
  await answer(2);
  await reader.settled();
  assert.deepEqual(taken, [['5']]);

  void reader.readAll();
  await answer(3, failure);
  await answer(4);
  await reader.settled();
  assert.deepEqual(taken, [['5'], undefined]);
});
