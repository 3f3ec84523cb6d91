import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, test } from 'node:test';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { until } from '../../../test/support/until.ts';
import { createGateway } from '../../src/gateway.ts';
import { call, NUMERO, sessionOf, startGateway } from '../support/gateway.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { clusterOn, LEASE } from './support/lease.ts';
import { freshDatabase, sharedPostgres, verbatim } from './support/postgres.ts';
import { beatUntil, bury, connectTables } from './support/tables.ts';

/** Starts something else than a gateway on a port of its own; returns its URL. */
async function startOther(t: Scope, answer: string, status = 200): Promise<string> {
  const other = createServer((_request, response) => {
    response.writeHead(status, status === 302 ? { Location: 'https://example.invalid/' } : {}).end(answer);
  });
  const port = await stablePort();
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
  t.after(() => other.close());
  return `http://127.0.0.1:${port}`;
}

describe('a gateway whose URL for others does not reach it', { concurrency: false }, () => {
  for (const [what, answer, status] of [
    ['a page', '<html>Welcome to nginx!</html>', 200],
    ['other JSON', 'null', 200],
    ['another id', '{"id":7}', 200],
    ['a redirection', '', 302],
    ['an error', '{"id":"a"}', 500],
  ] as const) {
    test(`but ${what}, does not start`, async (t) => {
      const advertise = await startOther(t, answer, status);
      const cluster = clusterOn(await freshDatabase(), { advertise });
      await assert.rejects(startGateway(t, { cluster }), {
        name: 'Fault',
        message: `No gateway of this cluster answers at ${advertise}, where other gateways look for this one: name a URL that reaches it with --advertise.`,
      });
    });
  }

  test('but nobody, or TLS, does not start', async (t) => {
    const database = await freshDatabase();
    const nobody = `http://127.0.0.1:${await stablePort()}`;
    const tls = (await startOther(t, '')).replace('http', 'https');
    for (const advertise of [nobody, tls]) {
      const cluster = clusterOn(database, { advertise });
      await assert.rejects(startGateway(t, { cluster }), { name: 'Fault' });
    }
  });

  test('but another gateway, does not start, and takes no session meanwhile', async (t) => {
    const database = await freshDatabase();
    const gateway = await startGateway(t, { sessions: 6, cluster: clusterOn(database) });
    const { sql } = await connectTables(t, database);
    const owners = () => sql`SELECT DISTINCT owner FROM session WHERE owner IS NOT NULL`;
    await until(async () => (await owners()).length === 1, 'the sessions to be owned');
    await sql(
      verbatim(`CREATE TABLE moved (); CREATE FUNCTION move() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF old.owner IS DISTINCT FROM new.owner THEN INSERT INTO moved DEFAULT VALUES; END IF; RETURN new; END $$;
        CREATE TRIGGER move AFTER UPDATE ON session FOR EACH ROW EXECUTE FUNCTION move()`),
    );
    await assert.rejects(startGateway(t, { cluster: clusterOn(database, { advertise: gateway.url }) }), {
      name: 'Fault',
      message: `Another gateway answers at ${gateway.url}: name a URL that reaches only this one with --advertise.`,
    });
    assert.deepEqual(await sql`SELECT FROM moved`, []);
    assert.equal((await sql`SELECT FROM node`).length, 1);
  });
});

test('a gateway that others reach where it listens does not call itself: a busy one would answer too late', async (t) => {
  const gateway = createGateway({ port: 0, sessions: [], cluster: clusterOn(await freshDatabase()) });
  t.after(() => gateway.close());
  const calls: string[] = [];
  gateway.app.server.on('request', ({ url }) => calls.push(url ?? ''));
  await gateway.listen();
  assert.deepEqual(calls, []);
});

test('a gateway that was killed starts again on its port at once, and owns its sessions again after its lease', async (t) => {
  const database = await freshDatabase();
  const port = String(await stablePort());
  const args = ['--port', port, '--sessions', '0', '--database', database, '--lease', String(LEASE)];
  const first = await new GatewayProcess(t, args).listens();
  assert.equal((await first.levanta(NUMERO)).status, 200);
  const letTake = await (await sharedPostgres()).holdClaims(new URL(database).pathname.slice(1));
  await first.kill();
  const { sql } = await connectTables(t, database);
  const [dead] = await sql<{ id: string }>`SELECT id FROM node`;
  const second = await new GatewayProcess(t, args).listens();
  assert.equal(second.url, first.url);
  const answer = await second.levanta(NUMERO);
  assert.equal(answer.status, 503);
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
  await letTake();
  await bury(sql, dead?.id ?? assert.fail('it is gone'));
  const owners = () => sql`SELECT FROM node JOIN session ON owner = node.id`;
  await beatUntil(sql, async () => (await owners()).length === 1, 'the session to be taken over');
  // Its row is owned before it has taken the session.
  await until(async () => (await second.levanta(NUMERO)).status === 200, 'a start');
  assert.ok(await sessionOf(second, NUMERO));
  await until(async () => (await call(second, '/readyz')).status === 200, 'the gateway to be ready');
});
