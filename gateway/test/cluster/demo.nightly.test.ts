import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DemoPage, launchBrowser } from '../../../test/demo/demo-page.ts';
import type { Scope } from '../../../test/support/scope.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { until } from '../../../test/support/until.ts';
import type { View } from '../../demo/cluster.ts';
import { address, observe, type Run } from '../support/command.ts';

const MAIN = fileURLToPath(new URL('../../demo/main.ts', import.meta.url));

/** Starts the demonstration with its temporary files in `folder`. */
function startDemo(scope: Scope, folder: string): Run {
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o711);
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), MAIN], {
    env: { ...process.env, TMPDIR: folder },
  });
  scope.after(() => child.kill('SIGTERM'));
  return observe(child);
}

/** Returns what the page gets now. */
async function viewOf(url: string): Promise<View> {
  const response = await fetch(`${url}/demo/events`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('\n\n')) text += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  return JSON.parse(text.slice('data: '.length, text.indexOf('\n\n')));
}

/** Resolves once living gateways own twelve numbers, none of them the one of that name. */
function owned(url: string, exceptBy?: string): Promise<View> {
  return until(async () => {
    const view = await viewOf(url);
    const isCarried = view.numbers.every(
      ({ owner, isStranded }) => owner !== null && owner !== exceptBy && !isStranded,
    );
    return view.numbers.length === 12 && isCarried ? view : undefined;
  }, 'twelve numbers to be owned');
}

async function act(url: string, path: string): Promise<number> {
  return (await fetch(`${url}/demo/${path}`, { method: 'POST' })).status;
}

/** What the demonstration keeps there; tsx keeps what it has compiled. */
function leftIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('tsx-'));
}

/** The processes that a process has started, directly or not. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const status = /^\d+$/.test(name) && statusOf(name);
    return status ? [{ pid: Number(name), parent: Number(/^PPid:\t(\d+)/m.exec(status)?.[1]) }] : [];
  });
  const childrenOf = (parent: number): number[] =>
    parents.filter((each) => each.parent === parent).flatMap((each) => [each.pid, ...childrenOf(each.pid)]);
  return childrenOf(pid);
}

function statusOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

test('a gateway of the demonstration is killed, others own its numbers, and Ctrl-C leaves nothing', async (t) => {
  const folder = temporaryFolder();
  const run = startDemo(t, folder);
  const url = await address(run);
  const { servers, numbers } = await owned(url);
  assert.equal(servers.length, 3);
  const [victim] = numbers.map(({ owner }) => owner ?? '');
  assert.ok(victim);

  assert.equal(await act(url, `servers/${encodeURIComponent(victim)}/kill`), 202);
  const after = await owned(url, victim);
  assert.equal(after.servers.find(({ name }) => name === victim)?.phase, 'down');

  assert.equal(await act(url, `servers/${encodeURIComponent(victim)}/start`), 202);
  await until(
    async () => (await viewOf(url)).numbers.some(({ owner }) => owner === victim),
    'the new process to get a share',
  );

  const processes = process.platform === 'linux' ? descendantsOf(run.child.pid ?? 0) : [];
  run.child.kill('SIGINT');
  assert.equal(await run.ended, 0);
  // The compiler of each process ends with it, a moment later.
  await until(() => processes.every((pid) => !existsSync(`/proc/${pid}`)), 'every process to end');
  assert.deepEqual(leftIn(folder), []);
  await assert.rejects(fetch(url));
  assert.equal(run.output.stdout, `${url}/ (Ctrl-C stops it)\n`);
  assert.equal(run.output.stderr, '');
});

test('Ctrl-C while it starts leaves nothing', async (t) => {
  const folder = temporaryFolder();
  const run = startDemo(t, folder);
  await until(() => leftIn(folder).length > 0, 'PostgreSQL to be set up');
  run.child.kill('SIGINT');
  assert.equal(await run.ended, 0);
  assert.deepEqual(leftIn(folder), []);
  assert.equal(run.output.stdout, '');
});

test('the page tells what happens, and its panel goes on', async (t) => {
  const url = await address(startDemo(t, temporaryFolder()));
  await owned(url);
  const browser = await launchBrowser();
  t.after(() => browser.close());
  const demo = await DemoPage.open(browser, url, 1280);
  const { page } = demo;
  await page.waitForSelector('text/12 de 12');
  // Once shares are even, the one that serves this panel has some.
  await page.waitForSelector('.server[data-here] .number');
  await demo.says('panel', '5215532962963', 'CONNECTED');

  // The one that serves this panel, which is the worst.
  await page.locator('.server[data-here] .kill').click();
  await page.waitForSelector('.log [data-tone="good"]');
  await page.waitForSelector('.server[data-here]:not([data-phase="down"])');
  await demo.says('panel', '5215532962963', 'CONNECTED');

  // What has been lost with the gateway.
  const lost = /ERR_(?:CONNECTION|INCOMPLETE|EMPTY)|WebSocket|502|503|400/;
  assert.deepEqual(
    demo.complaints.filter((complaint) => !lost.test(complaint)),
    [],
  );
});

test('a code is scanned on the page', async (t) => {
  const url = await address(startDemo(t, temporaryFolder()));
  const { numbers } = await owned(url);
  const numero = numbers.find(({ state }) => state === 'DESCONECTADO')?.numero ?? '';
  assert.equal(await act(url, `phones/${numero}/scan`), 409);
  await fetch(`${url}/api/session/levanta/${numero}`);
  const find = async () => (await viewOf(url)).numbers.find((number) => number.numero === numero);
  await until(async () => (await find())?.hasCode, 'a code');
  assert.equal(await act(url, `phones/${numero}/scan`), 204);
  await until(async () => (await find())?.state === 'CONNECTED', 'a linked phone');
});

test('a foreign page can do nothing', async (t) => {
  const url = await address(startDemo(t, temporaryFolder()));
  const headers = { Origin: 'https://foreign.example' };
  for (const path of ['/demo/servers/Servidor%201/kill', '/demo/servers']) {
    assert.equal((await fetch(url + path, { method: 'POST', headers })).status, 403);
  }
  assert.equal((await fetch(`${url}/api/session/sessions`, { headers })).status, 403);
});
