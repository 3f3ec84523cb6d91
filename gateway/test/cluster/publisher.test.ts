import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { readNotice } from '../../src/cluster/notices.ts';
import { Publisher } from '../../src/cluster/publisher.ts';
import type { Push } from '../../src/sessions/transitions.ts';
import type { Sql } from '../../src/store/postgres/database.ts';

const NUMERO = '5215550001111';

test('acks and codes to type are told in their order, however many connections there are', async () => {
  const told: Push[] = [];
  let statements = 0;
  // Each statement takes less time than the one before.
  const sql: Sql = async <Row>(_: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> => {
    statements += 1;
    await new Promise((resolve) => setTimeout(resolve, 50 / statements));
    const notice = readNotice(String(values.at(-1)));
    assert.ok(notice?.type === 'pushes');
    told.push(...notice.pushes);
    return [];
  };
  const publisher = new Publisher(() => ({ sql, id: '1' }), assert.fail, pino({ enabled: false }));
  const pushes: Push[] = Array.from({ length: 500 }, (_, index) => ({
    event: 'ack',
    numero: NUMERO,
    ack: { id: String(index), remitente: NUMERO, contacto: 1, status: 'server' },
  }));
  for (const [index, push] of pushes.entries()) {
    publisher.publish(push, undefined);
    if (index === 10) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => told.length === pushes.length, 'all of them');
  assert.deepEqual(told, pushes);
  assert.ok(statements < 100, `${statements} statements`);
});
