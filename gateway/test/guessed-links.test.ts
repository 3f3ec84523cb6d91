import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN } from '../src/ledger/cipher.ts';
import type { Sql } from '../src/ledger/database.ts';
import { Ledger } from '../src/ledger/ledger.ts';
import { Postgres } from '../src/ledger/postgres.ts';
import { StoreError } from '../src/ledger/store-error.ts';
import { memberOf } from './cluster/support/member.ts';

const NUMERO = '5215550001111';
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Links in a database whose statements are answered by hand. */
function links() {
  const statements: { hashes: readonly string[]; answer: (rows: unknown[]) => void; fail: () => void }[] = [];
  const sql = ((_text: readonly string[], ...values: unknown[]) =>
    new Promise((answer, fail) => {
      const hashes = values.find(Array.isArray) ?? assert.fail('no hashes');
      statements.push({ hashes, answer, fail: () => fail(new Error('no such table')) });
    })) as unknown as Sql;
  const driver = new Postgres(() => memberOf(sql, '1', PLAIN));
  const archive = new Ledger(driver, { cipher: PLAIN, print: () => {} });
  return { archive, statements };
}

test('600 guessed links cost one statement, and later ones one more', async () => {
  const { archive, statements } = links();
  const guess = () => Array.from({ length: 600 }, (_, index) => archive.linked(`guess-${index}`));
  const first = guess();
  await turn();
  const second = [...guess(), archive.linked('right')];
  await turn();
  assert.equal(statements.length, 1);
  statements[0]?.answer([]);
  assert.ok((await Promise.all(first)).every((numero) => numero === undefined));
  await turn();
  assert.deepEqual(
    statements.map(({ hashes }) => hashes.length),
    [600, 601],
  );
  statements[1]?.answer([{ hash: 'right', numero: NUMERO }]);
  assert.deepEqual((await Promise.all(second)).filter(Boolean), [NUMERO]);
});

test('a statement that fails is no answer, and does not hold up the next', async () => {
  const { archive, statements } = links();
  const failed = assert.rejects(archive.linked('right'), StoreError);
  await turn();
  const next = archive.linked('right');
  statements[0]?.fail();
  await failed;
  await turn();
  statements[1]?.answer([{ hash: 'right', numero: NUMERO }]);
  assert.equal(await next, NUMERO);
});
