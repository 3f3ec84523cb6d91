import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { createGateway, type GatewayOptions } from '../src/gateway.ts';
import { AccessFile, bearer, tokenOf } from './support/access.ts';
import { call, message } from './support/gateway.ts';

const SHOP = '34600000001';
const PORTAL = 'https://portal.example';
const ANA = { headers: bearer(tokenOf('Ana')) };

interface Line {
  readonly by: string | null;
  readonly action: string;
  readonly numero?: string;
  readonly status: number;
}

function linesOf(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** A gateway with the user Ana, and its audit log. */
function create(t: TestContext, options: GatewayOptions = {}) {
  const access = new AccessFile(t, [
    { name: 'Ana', may: ['see', 'codes', 'start', 'send', 'unlink', 'delete'] },
  ]).path;
  const audit = join(temporaryFolder(t), 'audit.log');
  const sessions = [{ numero: SHOP, state: 'connected' }] as const;
  const gateway = createGateway({ port: 0, access, audit, sessions, ...options });
  t.after(() => gateway.close());
  return { gateway, lines: () => linesOf(audit) };
}

describe('the audit log', () => {
  test('has what a client did that hung up before the answer', async (t) => {
    const { gateway, lines } = create(t);
    let hasty: ClientRequest | undefined;
    gateway.app.addHook('preHandler', async ({ raw }) => {
      hasty?.destroy();
      await once(raw.socket, 'close');
    });
    await gateway.listen();
    hasty = request(`${gateway.url}/api/session/${SHOP}`, { method: 'DELETE', ...ANA });
    hasty.on('error', () => {}).end();
    const line = await until(() => lines()[0], 'a line');
    assert.deepEqual([line.by, line.action, line.numero, line.status], ['Ana', 'delete', SHOP, 204]);
  });

  test('does not have what was neither done nor refused', async (t) => {
    const { gateway, lines } = create(t, { allowOrigins: [PORTAL] });
    await gateway.listen();
    const headers = { Origin: PORTAL, 'Access-Control-Request-Method': 'DELETE' };
    const { status } = await fetch(`${gateway.url}/api/session/${SHOP}`, { method: 'OPTIONS', headers });
    assert.equal(status, 204);
    await call(gateway, '/api/session/sessions', ANA);
    assert.deepEqual(lines(), []);
  });

  test('does not have the calls of a user beyond the limits', async (t) => {
    const { gateway, lines } = create(t);
    await gateway.listen();
    const statuses = new Set<number>();
    while (!statuses.has(429)) statuses.add((await call(gateway, '/api/session/levanta/1', ANA)).status);
    assert.deepEqual(new Set(lines().map(({ status }) => status)), new Set([400]));
  });

  test('has the beginning of a numero that is no numero', async (t) => {
    const { gateway, lines } = create(t);
    await gateway.listen();
    const body = message('9'.repeat(400_000), [34611111111]);
    await call(gateway, '/api/message', { method: 'POST', body, ...ANA });
    assert.equal(lines()[0]?.numero?.length, 100);
  });
});
