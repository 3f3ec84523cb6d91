import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { STATES } from '../../../src/wire.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import type { GatewayOptions } from '../../src/gateway-options.ts';
import { type Answer, call, listOf, NUMERO, startGateway } from '../support/gateway.ts';
import { clusterOn } from './support/lease.ts';
import { freshDatabase } from './support/postgres.ts';
import { connectTables } from './support/tables.ts';

interface Row {
  readonly numero: string;
  readonly state: string;
}

/** Starts gateways on a fresh database. */
async function startCluster(t: Scope, count: number, options: GatewayOptions = {}) {
  const database = await freshDatabase();
  const cluster = clusterOn(database);
  const gateways = await Promise.all(
    Array.from({ length: count }, () => startGateway(t, { ...options, cluster })),
  );
  const { sql } = await connectTables(t, database);
  const table = () => sql<Row>`SELECT numero, state FROM session`;
  return { gateways, table };
}

const levanta = (gateway: Gateway, numero: string) =>
  call(gateway, `/api/session/levanta/${encodeURIComponent(numero)}`);

const erase = (gateway: Gateway) => call(gateway, `/api/session/${NUMERO}`, { method: 'DELETE' });

/** Fails unless a call succeeded, or was refused for a moment or because another one came first. */
function isSettled({ status, headers, body }: Answer): void {
  if (status === 503) assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  else assert.ok([200, 204, 404, 409].includes(status), `${status} ${JSON.stringify(body)}`);
}

test('a new numero started at three gateways at once, in different forms, is one session', async (t) => {
  const { gateways, table } = await startCluster(t, 3);
  const forms = ['525550001111', '5215550001111', '+52 1 555 000 1111'];
  const answers = await Promise.all(gateways.map((gateway, index) => levanta(gateway, forms[index] ?? '')));
  for (const answer of answers) isSettled(answer);
  assert.ok(answers.some(({ status, body }) => status === 200 && JSON.stringify(body).includes(NUMERO)));
  assert.deepEqual(await table(), [{ numero: NUMERO, state: STATES.authenticating }]);
});

test('starts and deletions that cross at several gateways leave what the table says', async (t) => {
  const warnings: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) });
  const { gateways, table } = await startCluster(t, 3, { logger });
  const [a, b, c] = gateways;
  assert.ok(a && b && c);
  for (let round = 0; round < 25; round++) {
    const calls = [levanta(a, NUMERO), erase(b), levanta(c, NUMERO.replace('521', '52')), erase(a)];
    for (const answer of await Promise.all(calls)) isSettled(answer);
    const isQuiet = async () => {
      const rows = (await table()).map(({ numero, state }) => ({ numero, state }));
      assert.ok(!rows.some(({ state }) => state === STATES.closing));
      for (const gateway of gateways) {
        assert.deepEqual(
          (await listOf(gateway)).map(({ numero, state }) => ({ numero, state })),
          rows,
        );
      }
      return true;
    };
    await until(isQuiet, 'all lists to be as the table');
  }
  const losses = warnings.filter((line) => line.includes('Another gateway owns'));
  assert.deepEqual(losses, []);
});
