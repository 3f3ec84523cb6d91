import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { call, NUMERO, startGateway } from './support/gateway.ts';

const TOKEN = 'a-token-of-the-test';
const headers = { Authorization: `Bearer ${TOKEN}` };

test('each line of the audit log is JSON that says who did what, to which session, and with what answer', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const audit = join(folder, 'audit.log');
  const gateway = await startGateway(t, { token: TOKEN, audit });
  await call(gateway, `/api/session/levanta/${NUMERO}`, { headers });
  await call(gateway, '/api/session/sessions', { headers: { Authorization: 'Bearer guess' } });
  await gateway.close();

  const lines = readFileSync(audit, 'utf8').trim().split('\n');
  assert.deepEqual(
    lines.map((line) => {
      const { by, action, numero, status, address } = JSON.parse(line);
      return { by, action, numero, status, address };
    }),
    [
      { by: 'gateway-1', action: 'start', numero: NUMERO, status: 200, address: '127.0.0.1' },
      { by: null, action: 'see', numero: undefined, status: 401, address: '127.0.0.1' },
    ],
  );
});
