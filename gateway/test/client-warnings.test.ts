import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { createLogger } from '../src/log.ts';
import { ClientWarnings } from '../src/security/client-warnings.ts';
import { call, startGateway } from './support/gateway.ts';

interface Line {
  readonly msg: string;
  readonly address?: string;
  readonly more?: number;
  readonly status?: number;
}

/** A logger as the command has it, and its lines. */
function record() {
  const lines: Line[] = [];
  return { lines, logger: createLogger('info', { write: (line) => lines.push(JSON.parse(line)) }) };
}

test('clients without the token that call on and on are one line, and one with the number of further calls', async (t) => {
  const calls = 60;
  const { lines, logger } = record();
  const gateway = await startGateway(t, { token: 'un-token-de-prueba', logger, trustProxy: ['loopback'] });
  for (let i = 0; i < calls; i += 1) {
    const headers = { Authorization: 'Bearer guess', 'X-Forwarded-For': `198.51.100.${i % 2}` };
    await call(gateway, '/api/session/sessions', { headers });
  }
  await gateway.close();
  const answered = lines.filter(({ msg }) => msg === 'Request answered');
  // The first twenty of each are 401, which is no warning.
  assert.deepEqual(
    answered.map(({ status, address, more }) => [status, address, more]),
    [
      [429, '198.51.100.0', undefined],
      [undefined, undefined, calls - 41],
    ],
  );
});

test('warnings about clients are counted for a minute, by their text', (t) => {
  mockTimers(t.mock, { apis: ['setTimeout'] });
  const { lines, logger } = record();
  const warnings = new ClientWarnings(logger);
  for (const status of [429, 503, 429]) warnings.warn(logger, 'Refused', { status });
  warnings.warn(logger, 'Odd', { reason: 'x' });
  t.mock.timers.tick(60_000);
  warnings.warn(logger, 'Odd', { reason: 'x' });
  t.mock.timers.tick(60_000);
  assert.deepEqual(
    lines.map(({ msg, status, more }) => [msg, status, more]),
    [
      ['Refused', 429, undefined],
      ['Odd', undefined, undefined],
      ['Refused', undefined, 2],
      ['Odd', undefined, undefined],
    ],
  );
});
