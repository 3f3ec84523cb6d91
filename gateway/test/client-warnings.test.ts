import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { mockTimers } from '../../test/support/mock-timers.ts';
import { createLogger } from '../src/log.ts';
import { ClientWarnings } from '../src/security/client-warnings.ts';
import { call, startGateway } from './support/gateway.ts';

interface Line {
  readonly msg: string;
  readonly address: string;
  readonly more?: number;
  readonly status?: number;
}

/** A logger as the command has it, and its lines. */
function record() {
  const lines: Line[] = [];
  return { lines, logger: createLogger('info', { write: (line) => lines.push(JSON.parse(line)) }) };
}

const TOKEN = 'un-token-de-prueba';

describe('a client without the token that calls on and on', () => {
  const CALLS = 40;

  async function attack(t: TestContext, addressOf: (call: number) => string) {
    const { lines, logger } = record();
    const gateway = await startGateway(t, { token: TOKEN, logger, trustProxy: ['loopback'] });
    for (let i = 0; i < CALLS; i += 1) {
      const headers = { Authorization: 'Bearer guess', 'X-Forwarded-For': addressOf(i) };
      await call(gateway, '/api/session/sessions', { headers });
    }
    const answered = () => lines.filter(({ msg }) => msg === 'Request answered');
    assert.equal(answered().length, 1);
    await gateway.close();
    return answered();
  }

  test('is one line of the log, and one that says how many more there were', async (t) => {
    const [first, last, ...rest] = await attack(t, () => '198.51.100.1');
    assert.deepEqual(rest, []);
    // The first twenty are 401, which is no warning.
    for (const line of [first, last]) {
      assert.deepEqual([line?.address, line?.status], ['198.51.100.1', 429]);
    }
    assert.equal(last?.more, CALLS - 21);
  });

  test('is one client with all addresses of its network', async (t) => {
    const [first, last] = await attack(t, (call) => `2001:db8:1:2::${call.toString(16)}`);
    assert.equal(first?.address, '2001:db8:1:2::');
    assert.equal(last?.more, CALLS - 21);
  });
});

describe('warnings about clients', () => {
  test('are counted for a minute, by kind', (t) => {
    mockTimers(t.mock, { apis: ['setTimeout'] });
    const { lines, logger } = record();
    const warnings = new ClientWarnings(logger);
    for (const status of [429, 503, 429, 429]) warnings.warn(logger, '::1', 'Refused', { status });
    warnings.warn(logger, '::1', 'Odd', { reason: 'x' });
    t.mock.timers.tick(60_000);
    warnings.warn(logger, '::1', 'Odd', { reason: 'x' });
    t.mock.timers.tick(60_000);
    assert.deepEqual(
      lines.map(({ msg, status, more }) => [msg, status, more]),
      [
        ['Refused', 429, undefined],
        ['Refused', 503, undefined],
        ['Odd', undefined, undefined],
        ['Refused', 429, 2],
        ['Odd', undefined, undefined],
      ],
    );
  });

  test('are bounded however many addresses come', () => {
    const { lines, logger } = record();
    const warnings = new ClientWarnings(logger);
    for (let i = 0; i < 100_000; i += 1) {
      warnings.warn(logger, `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 'Refused');
    }
    warnings.flush();
    assert.ok(lines.length < 1_010, `${lines.length} lines`);
    assert.deepEqual([lines.at(-1)?.address, lines.at(-1)?.more], ['others', 98_999]);
  });
});
