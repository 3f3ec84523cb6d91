import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPrometheus, findPromtool } from '../../../test/support/find-prometheus.mjs';
import type { Scope } from '../../../test/support/scope.ts';
import { stablePort } from '../../../test/support/stable-port.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { Gateway } from '../../src/gateway.ts';
import { sharedPostgres } from '../cluster/support/postgres.ts';
import { call, Listener, message, NUMERO, startGateway } from '../support/gateway.ts';

const DEPLOY = fileURLToPath(new URL('../../deploy/', import.meta.url));
const UNIT_TESTS = fileURLToPath(new URL('./alerts.test.yml', import.meta.url));
const TOKEN = 'a-token-of-the-test';

interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}

/** What Prometheus answers, as far as this test reads it. */
interface Answer<T> {
  readonly status: string;
  readonly error?: string;
  readonly data: T;
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

interface Rule {
  readonly name: string;
  readonly query: string;
  readonly health: string;
  readonly state: string;
}

function promtool(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(findPromtool() ?? assert.fail('no promtool'), args);
}

/** Starts Prometheus with the configuration of `deploy`, except for the gateway's address and the intervals. */
async function startPrometheus(scope: Scope, gateway: Gateway): Promise<string> {
  const folder = temporaryFolder();
  const config = readFileSync(join(DEPLOY, 'prometheus.yml'), 'utf8')
    .replace('127.0.0.1:8080', new URL(gateway.url).host)
    .replaceAll('15s', '1s');
  writeFileSync(join(folder, 'prometheus.yml'), config);
  writeFileSync(join(folder, 'gateway-token'), `${TOKEN}\n`);
  copyFileSync(join(DEPLOY, 'alerts.yml'), join(folder, 'alerts.yml'));
  await promtool('check', 'config', join(folder, 'prometheus.yml'));

  const port = await stablePort();
  const child = spawn(findPrometheus() ?? assert.fail('no Prometheus'), [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const ended = once(child, 'close');
  scope.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/-/ready`)).ok || assert.fail(output), 'Prometheus', 60_000);
  return url;
}

async function ask<T>(url: string, path: string): Promise<T> {
  const response = await fetch(`${url}/api/v1/${path}`);
  const { status, error, data }: Answer<T> = await response.json();
  assert.equal(status, 'success', `${path}: ${error}`);
  return data;
}

async function query(url: string, expression: string): Promise<readonly Sample[]> {
  const { result } = await ask<{ result: readonly Sample[] }>(
    url,
    `query?query=${encodeURIComponent(expression)}`,
  );
  return result;
}

describe('Prometheus', () => {
  test('reads the gateway with its token, and every series of the dashboard and the alerts', async (t) => {
    const sessions = [{ numero: NUMERO, state: 'connected' }] as const;
    const cluster = { database: await (await sharedPostgres()).freshDatabase() };
    const gateway = await startGateway(t, { token: TOKEN, metrics: true, sessions, cluster });
    await Listener.connect(t, gateway, '/', { auth: { token: TOKEN } });
    const url = await startPrometheus(t, gateway);
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const connected = 'whatsapp_gateway_sessions{state="connected"} == 1';
    await until(async () => (await query(url, connected)).length === 1, 'the session', 60_000);
    const body = message(NUMERO, [34600000009]);
    assert.equal((await call(gateway, '/api/message', { method: 'POST', body, headers })).status, 200);
    gateway.phones.phone(NUMERO).loseLine();
    const rising =
      'sum(rate(whatsapp_gateway_deliveries_total[1m])) > 0 and sum(whatsapp_gateway_sessions_away) == 1';
    await until(async () => (await query(url, rising)).length === 1, 'a rate', 60_000);

    const dashboard: Dashboard = JSON.parse(readFileSync(join(DEPLOY, 'grafana.json'), 'utf8'));
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    assert.ok(expressions.length > 15);
    for (const expression of expressions) {
      const plain = expression.replaceAll('$instance', '.*').replaceAll('$__rate_interval', '1m');
      assert.doesNotMatch(plain, /\$/);
      assert.ok((await query(url, plain)).length > 0, plain);
    }

    const rules = async () => {
      const { groups } = await ask<{ groups: readonly { rules: readonly Rule[] }[] }>(url, 'rules');
      return groups.flatMap((group) => group.rules);
    };
    // It fires after ten minutes.
    await until(async () => (await rules()).some(({ state }) => state === 'pending'), 'an alert', 60_000);
    assert.deepEqual(
      (await rules()).map(({ name, health, state }) => [name, health, state]),
      [
        ['WhatsappGatewayDown', 'ok', 'inactive'],
        ['WhatsappSessionsAway', 'ok', 'pending'],
        ['WhatsappSessionsSilent', 'ok', 'inactive'],
        ['WhatsappSessionsRestricted', 'ok', 'inactive'],
        ['WhatsappSessionsEnding', 'ok', 'inactive'],
        ['WhatsappVersionOld', 'ok', 'inactive'],
        ['WhatsappDeliveriesFailing', 'ok', 'inactive'],
        ['WhatsappNotificationsFailing', 'ok', 'inactive'],
        ['WhatsappNotificationsGivenUp', 'ok', 'inactive'],
        ['WhatsappSessionsUnassigned', 'ok', 'inactive'],
        ['WhatsappLeaseAtRisk', 'ok', 'inactive'],
      ],
    );
    for (const rule of await rules()) await query(url, rule.query);
  });

  test('is not let in with another token', async (t) => {
    const gateway = await startGateway(t, { token: `${TOKEN}-other`, metrics: true });
    const url = await startPrometheus(t, gateway);
    const down = async () => (await query(url, 'up == 0')).length === 1;
    await until(down, 'a refused scrape', 60_000);
    assert.deepEqual(await query(url, 'whatsapp_gateway_ready'), []);
  });
});

describe('promtool', () => {
  test('accepts the rules, and each alert fires when it should', async () => {
    assert.match((await promtool('check', 'rules', join(DEPLOY, 'alerts.yml'))).stdout, /11 rules found/);
    await promtool('test', 'rules', UNIT_TESTS);
  });

  test('has nothing to say against the metrics of the gateway', async (t) => {
    const cluster = { database: await (await sharedPostgres()).freshDatabase() };
    const { url } = await startGateway(t, { metrics: true, cluster });
    const all = await (await fetch(`${url}/metrics`)).text();
    // Those of the process are the library's.
    const own = all.split('\n').filter((line) => line.includes('whatsapp_gateway_'));
    const check = spawn(findPromtool() ?? assert.fail('no promtool'), ['check', 'metrics']);
    let said = '';
    for (const stream of [check.stdout, check.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const closed = once(check, 'close');
    check.stdin.end(`${own.join('\n')}\n`);
    const [code] = await closed;
    assert.equal(said, '');
    assert.equal(code, 0);
  });
});
