import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { Manager } from 'socket.io-client';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { Audit } from '../src/audit.ts';
import { createGateway } from '../src/gateway.ts';
import type { GatewayOptions } from '../src/gateway-options.ts';
import { createLogger } from '../src/log.ts';
import { ANYBODY } from '../src/security/users.ts';
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
  readonly more?: number;
}

function linesOf(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** A gateway with the user Ana, and its audit log. */
function create(t: TestContext, options: GatewayOptions = {}) {
  const access = new AccessFile([{ name: 'Ana', may: ['see', 'codes', 'start', 'send', 'unlink', 'delete'] }])
    .path;
  const audit = join(temporaryFolder(), 'audit.log');
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
    await gateway.close();
    assert.deepEqual(lines(), []);
  });

  test('does not have the calls of a user beyond the limits', async (t) => {
    const { gateway, lines } = create(t);
    await gateway.listen();
    const statuses = new Set<number>();
    while (!statuses.has(429)) statuses.add((await call(gateway, '/api/session/levanta/1', ANA)).status);
    await gateway.close();
    assert.deepEqual(new Set(lines().map(({ status }) => status)), new Set([400]));
  });

  test('has a line a minute for panels that come with wrong tokens again and again', async (t) => {
    const { gateway, lines } = create(t);
    await gateway.listen();
    const manager = new Manager(gateway.url);
    const socket = manager.socket('/', { auth: { token: tokenOf('Nadie') } });
    t.after(() => socket.disconnect());
    for (let i = 0; i < 3; i += 1) {
      await new Promise((refused) => socket.once('connect_error', refused).connect());
    }
    await gateway.close();
    const shown = lines().map(({ by, action, status, more }) => [by, action, status, more]);
    assert.deepEqual(shown, [
      [null, 'connect', 401, undefined],
      [null, 'connect', undefined, 2],
    ]);
  });

  test('has the beginning of a numero that is no numero', async (t) => {
    const { gateway, lines } = create(t);
    await gateway.listen();
    const body = message('9'.repeat(400_000), [34611111111]);
    await call(gateway, '/api/message', { method: 'POST', body, ...ANA });
    await gateway.close();
    assert.equal(lines()[0]?.numero?.length, 100);
  });
});

const START = { user: ANYBODY, action: 'start', numero: SHOP, status: 200, address: '::1' };

test('an audit log that is renamed goes on under its name', async (t) => {
  const file = join(temporaryFolder(), 'audit.log');
  const audit = new Audit(file, 'gateway-1', createLogger('silent'));
  t.after(() => audit.close());
  audit.add(START);
  await until(() => linesOf(file).length === 1, 'a line');
  renameSync(file, `${file}.1`);
  await until(() => {
    audit.add(START);
    return existsSync(file);
  }, 'a new file');
});

describe('an audit log that cannot be written', () => {
  function open(t: TestContext, file: string) {
    const failures: { msg: string; err?: { code: string }; lines?: number }[] = [];
    const logger = createLogger('info', { write: (line) => failures.push(JSON.parse(line)) });
    const audit = new Audit(file, 'gateway-1', logger);
    t.after(() => audit.close());
    return { audit, failures, codes: () => failures.flatMap(({ err }) => err?.code ?? []) };
  }

  test('on a full disk keeps what happens for later, up to a limit, and says what is lost', {
    skip: !existsSync('/dev/full'),
  }, async (t) => {
    const file = join(temporaryFolder(), 'audit.log');
    symlinkSync('/dev/full', file);
    const { audit, failures, codes } = open(t, file);
    audit.add(START);
    await until(() => codes().join() === 'ENOSPC', 'a failure');
    for (let i = 1; i < 20_000; i += 1) audit.add(START);
    rmSync(file);
    await audit.close();
    const kept = linesOf(file);
    assert.ok(kept.length > 5_000 && kept.length < 15_000, `${kept.length} lines`);
    assert.deepEqual(
      failures.map(({ msg, lines }) => lines ?? msg),
      [
        'The audit log cannot be written.',
        'Too much of the audit log waits to be written: lines are lost.',
        20_000 - kept.length,
      ],
    );
  });

  test('is reported once, and written again as soon as it can be', async (t) => {
    const folder = join(temporaryFolder(), 'folder');
    const file = join(folder, 'audit.log');
    mkdirSync(folder);
    const { audit, codes } = open(t, file);
    renameSync(folder, `${folder}.1`);
    audit.add(START);
    await until(() => codes().length > 0, 'a failure');
    audit.add(START);
    mkdirSync(folder);
    await until(() => existsSync(file) && linesOf(file).length === 2, 'both lines');
    assert.deepEqual(codes(), ['ENOENT']);
  });

  test('does not stop the gateway, as while nobody reads its named pipe', async (t) => {
    const file = join(temporaryFolder(), 'audit.log');
    execFileSync('mkfifo', [file]);
    const pipe = openSync(file, constants.O_RDWR | constants.O_NONBLOCK);
    t.after(() => closeSync(pipe));
    const { audit, codes } = open(t, file);
    for (let i = 0; i < 600; i += 1) audit.add(START);
    await until(() => codes().join() === 'EAGAIN', 'a full pipe');
    let text = '';
    const read = () => {
      const buffer = Buffer.alloc(100_000);
      text += buffer.toString('utf8', 0, readSync(pipe, buffer));
    };
    read();
    await audit.close();
    read();
    assert.equal(text.split('\n').length, 601);
  });
});
