import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { openNotices } from '../../src/cluster/notices.ts';
import { Writer } from '../../src/cluster/writer.ts';
import type { Sql } from '../../src/ledger/database.ts';
import { createLogger } from '../../src/log.ts';
import type { Push } from '../../src/sessions/transitions.ts';
import { CIPHER, memberOf } from './support/member.ts';
import { addNode, startTables } from './support/tables.ts';

const NUMERO = '5215550001111';

test('acks and codes to type are announced in order, however many connections there are', async () => {
  const told: Push[] = [];
  let statements = 0;
  // Each statement takes less time than the one before.
  const sql: Sql = async <Row>(_: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> => {
    statements += 1;
    await new Promise((resolve) => setTimeout(resolve, 50 / statements));
    const [notice] = openNotices(CIPHER, String(values.at(-1))) ?? [];
    assert.ok(notice?.type === 'pushes');
    told.push(...notice.pushes);
    return [];
  };
  const writer = new Writer(() => memberOf(sql, '1'), assert.fail, pino({ enabled: false }));
  const session = { numero: NUMERO, key: NUMERO, shown: { numero: NUMERO, state: '', waiting: true } };
  writer.take(NUMERO, { epoch: '1', place: 1, version: 0 });
  const pushes: Push[] = Array.from({ length: 500 }, (_, index) => ({
    event: 'ack',
    numero: NUMERO,
    ack: { id: String(index), remitente: NUMERO, contacto: 1, status: 'server' },
  }));
  for (const [index, push] of pushes.entries()) {
    writer.publish(session, push);
    if (index === 10) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => told.length === pushes.length, 'all of them');
  assert.deepEqual(told, pushes);
  assert.ok(statements < 100, `${statements} statements`);
});

for (const [what, qrCode] of [
  ['a NUL', 'a code\0'],
  ['half a character', 'a code \ud800'],
] as const) {
  test(`a code with ${what} is left out, and the others are pushed`, async (t) => {
    const { sql } = await startTables(t);
    const node = await addNode(sql);
    const numeros = [NUMERO, '5215550002222'];
    const lines: string[] = [];
    const logger = createLogger('error', { write: (line) => lines.push(line) });
    const writer = new Writer(() => memberOf(sql, node), assert.fail, logger);
    for (const [place, numero] of numeros.entries()) {
      await sql`INSERT INTO session (id, numero, owner, state, waiting) VALUES (${numero}, ${numero}, ${node}, '', true)`;
      writer.take(numero, { epoch: '0', place, version: 0 });
    }
    const push = (numero: string, code: string) => {
      const shown = { numero, state: 'AUTENTICANDO...', qrCode: code, waiting: false };
      writer.publish({ numero, key: numero, shown }, { event: 'qr', numero, code });
    };
    push(NUMERO, qrCode);
    push('5215550002222', 'another code');
    await writer.written();
    const rows = await sql<{ qr: string | null }>`SELECT qr FROM session ORDER BY place`;
    assert.deepEqual(
      rows.map(({ qr }) => qr),
      [null, 'another code'],
    );
    assert.equal(lines.length, 1);
    push(NUMERO, 'a good code');
    await writer.written();
    assert.equal((await sql`SELECT FROM session WHERE qr = 'a good code'`).length, 1);
  });
}
