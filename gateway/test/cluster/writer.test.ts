import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import type { WireListItem } from '../../../src/wire.ts';
import { until } from '../../../test/support/until.ts';
import { openNotices } from '../../src/cluster/notices.ts';
import { Writer } from '../../src/cluster/writer.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { createLogger } from '../../src/log.ts';
import { numeroKey } from '../../src/numbers.ts';
import type { Push } from '../../src/sessions/transitions.ts';
import { CIPHER, memberOf } from './support/member.ts';
import { addNode, startTables } from './support/tables.ts';

const NUMERO = '5215550001111';
/** More than the statements of five hundred pushes. */
const MOST = 100;

test('acks and codes to type are announced in order, however many connections there are', async () => {
  const told: Push[] = [];
  let statements = 0;
  // Each statement takes fewer turns than the one before.
  const sql: Sql = async <Row>(_: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> => {
    statements += 1;
    for (let turn = statements; turn < MOST; turn += 1) await nextTurn();
    const [notice] = openNotices(CIPHER, String(values.at(-1))) ?? [];
    assert.ok(notice?.type === 'pushes');
    told.push(...notice.pushes);
    return [];
  };
  const writer = new Writer(
    () => memberOf(sql, '1'),
    assert.fail,
    () => assert.fail(),
    pino({ enabled: false }),
  );
  const session = { numero: NUMERO, key: NUMERO, shown: { numero: NUMERO, state: '', waiting: true } };
  writer.take(NUMERO, { epoch: '1', place: 1, version: 0 });
  const pushes: Push[] = Array.from({ length: 500 }, (_, index) => ({
    event: 'ack',
    numero: NUMERO,
    ack: { id: String(index), remitente: NUMERO, contacto: 1, status: 'server' },
  }));
  for (const [index, push] of pushes.entries()) {
    writer.publish(session, push);
    if (index === 10) await nextTurn();
  }
  await until(() => told.length === pushes.length, 'all of them');
  assert.deepEqual(told, pushes);
  assert.ok(statements < MOST, `${statements} statements`);
});

test('a session that another gateway owns is given up under its own numero', async () => {
  const lost: string[] = [];
  const sql: Sql = async () => [];
  const writer = new Writer(
    () => memberOf(sql, '1'),
    (numero) => lost.push(numero),
    () => assert.fail(),
    pino({ enabled: false }),
  );
  const numero = '+54 911 5000-0001';
  const shown = { numero, state: 'DESCONECTADO', waiting: false };
  writer.take(numero, { epoch: '1', place: 1, version: 0 });
  writer.publish({ numero, key: numeroKey(numero), shown }, { event: 'disconnected', numero });
  await writer.written();
  assert.deepEqual(lost, [numero]);
});

for (const [what, odd] of [
  ['a code with a NUL', { qrCode: 'a code\0' }],
  ['a code with half a character', { qrCode: 'a code \ud800' }],
  ["an account's name with a NUL", { name: 'Ana\0' }],
] as const) {
  test(`${what} is left out, but neither the state nor what others have`, async (t) => {
    const { sql } = await startTables(t);
    const node = await addNode(sql);
    const numeros = [NUMERO, '5215550002222'];
    const lines: string[] = [];
    const logger = createLogger('error', { write: (line) => lines.push(line) });
    const writer = new Writer(
      () => memberOf(sql, node),
      assert.fail,
      () => assert.fail(),
      logger,
    );
    for (const [place, numero] of numeros.entries()) {
      await sql`INSERT INTO session (id, numero, owner, state, waiting) VALUES (${numero}, ${numero}, ${node}, '', true)`;
      writer.take(numero, { epoch: '0', place, version: 0 });
    }
    const push = (numero: string, details: Partial<WireListItem>) => {
      const shown = { numero, state: 'AUTENTICANDO...', group: 'Tienda', waiting: false, ...details };
      writer.publish({ numero, key: numero, shown }, { event: 'change_state', numero, state: shown.state });
    };
    push(NUMERO, odd);
    push('5215550002222', { name: 'Eva', qrCode: 'another code' });
    await writer.written();
    const rows = await sql`SELECT state, qr, details FROM session ORDER BY place`;
    assert.deepEqual(rows, [
      { state: 'AUTENTICANDO...', qr: null, details: { group: 'Tienda' } },
      { state: 'AUTENTICANDO...', qr: 'another code', details: { group: 'Tienda', name: 'Eva' } },
    ]);
    assert.equal(lines.length, 1);
    push(NUMERO, { qrCode: 'a good code' });
    await writer.written();
    assert.equal((await sql`SELECT FROM session WHERE qr = 'a good code'`).length, 1);
  });
}
