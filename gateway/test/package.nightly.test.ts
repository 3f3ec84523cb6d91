import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { DemoPage, launchBrowser } from '../../test/demo/demo-page.ts';
import { GATEWAY } from '../../test/readme/page.ts';
import { deadLinks, project } from '../../test/support/packed-package.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { until } from '../../test/support/until.ts';
import { address, observe } from './support/command.ts';
import { listOf } from './support/gateway.ts';
import { pack, runInstalled, type Tarball } from './support/packed-gateway.ts';

const REPOSITORY = process.cwd();
const MANIFEST: { version: string; peerDependencies: Record<string, string> } = JSON.parse(
  readFileSync('gateway/package.json', 'utf8'),
);
const BAILEYS = `@whiskeysockets/baileys@${MANIFEST.peerDependencies['@whiskeysockets/baileys']}`;

describe('the packed gateway', () => {
  const folder = temporaryFolder();
  let tarball: Tarball;
  /** A project that has the package alone. */
  let plain: string;
  let installed: string;

  before(async () => {
    tarball = await pack('gateway', folder);
    plain = await project(join(folder, 'plain'), tarball.path);
    installed = join(plain, 'node_modules', 'whatsapp-operadores-gateway');
  });

  test('has the build, the pages, the panel and the files of deployment, and nothing else', () => {
    for (const file of [
      'package.json',
      'LICENSE',
      'CHANGELOG.md',
      'dist/gateway/src/cli.js',
      'dist/gateway/src/index.js',
      'dist/gateway/src/index.d.ts',
      'dist/openapi.json',
      'dist/demo/index.html',
      'dist/dist/whatsapp-operadores.js',
      'dist/dist/whatsapp-operadores.js.br',
      'dist/dist/whatsapp-operadores.js.gz',
      'dist/demo/page.css.br',
      'dist/gateway/link-page/dist/page.js.gz',
      'deploy/Caddyfile',
      'deploy/nginx.conf',
      'deploy/whatsapp-operadores.service',
      'deploy/compose.yml',
      'deploy/Dockerfile',
    ]) {
      assert.ok(tarball.files.includes(file), `${file} is missing`);
    }
    const others = tarball.files.filter(
      (file) => !/^(package\.json|gateway\.schema\.json|[A-Z]+(\.md)?|(dist|deploy)\/.+)$/.test(file),
    );
    assert.deepEqual(others, []);
    const sources = tarball.files.filter((file) => /(?<!\.d)\.ts$|\.test\.|(^|\/)test\//.test(file));
    assert.deepEqual(sources, []);
  });

  test('has every file that its documents link to, and leaves its README in the repository as it was', () => {
    assert.deepEqual(deadLinks(tarball.files, installed), []);
    assert.equal(readFileSync('gateway/README.md', 'utf8'), GATEWAY.text);
  });

  test('names no folder of the machine it was built on', () => {
    const naming = tarball.files.filter((file) => readFileSync(join(installed, file)).includes(REPOSITORY));
    assert.deepEqual(naming, []);
  });

  test('shows its version', async (t) => {
    const command = runInstalled(t, plain, ['--version']);
    assert.equal(await command.ended, 0);
    assert.deepEqual(command.output, { stdout: `${MANIFEST.version}\n`, stderr: '' });
  });

  test('serves the panel, which shows the sessions', async (t) => {
    const url = await address(runInstalled(t, plain, ['--port', '0']));
    const [first] = await listOf({ url });
    assert.ok(first);
    const browser = await launchBrowser();
    t.after(() => browser.close());
    for (const [path, place] of [
      ['/', 'drawer'],
      ['/portal.html#sesiones', 'panel'],
    ] as const) {
      const demo = await DemoPage.open(browser, url + path);
      await demo.article('panel', first.numero);
      await demo.article(place, first.numero);
      assert.deepEqual(demo.complaints, []);
      await demo.page.close();
    }
  });

  test('answers calls as a program that uses the library', async (t) => {
    const program = GATEWAY.snippet('In a program', 'js').replace('port: 9000', 'port: 0');
    writeFileSync(join(plain, 'main.js'), program);
    const child = spawn(process.execPath, ['main.js'], { cwd: plain });
    t.after(() => child.kill('SIGKILL'));
    const running = observe(child);
    const url = await until(() => running.output.stdout.match(/^(http:.+)\n/)?.[1], 'an address');
    const numero = '5215550001111';
    const started = await fetch(`${url}/api/session/levanta/${numero}`);
    assert.deepEqual(await started.json(), { numero });
    const sessions = await listOf({ url });
    assert.ok(sessions.some((session) => session.numero === numero));
    child.kill('SIGTERM');
    assert.equal(await running.ended, 0);
  });

  test('says what to install for the engine whatsapp, and starts it with that', async (t) => {
    const data = join(folder, 'data');
    const args = ['--port', '0', '--engine', 'whatsapp', '--data', data];
    const command = runInstalled(t, plain, args);
    assert.equal(await command.ended, 1);
    assert.equal(command.output.stdout, '');
    const advice = `run npm install --save-exact --omit=peer ${BAILEYS}, and read its licence notes in the README.\n`;
    assert.equal(command.output.stderr, `The engine whatsapp needs Baileys: ${advice}`);

    const complete = await project(join(folder, 'complete'), tarball.path, BAILEYS);
    const url = await address(runInstalled(t, complete, [...args, '--whatsapp-url', 'ws://127.0.0.1:1/']));
    assert.deepEqual(await listOf({ url }), []);
  });

  test('has declarations that resolve, with every type checked', async () => {
    const types = join(plain, 'node_modules', '@types');
    mkdirSync(types, { recursive: true });
    const missing = ['node', 'ws'].filter((name) => !existsSync(join(types, name)));
    for (const name of missing) {
      symlinkSync(realpathSync(join('node_modules/@types', name)), join(types, name));
    }
    writeFileSync(join(plain, 'main.ts'), CONSUMER);
    const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
    assert.equal(await compile(plain, [...options, 'main.ts']), '');
  });
});

const CONSUMER = `
import { createGateway, type Gateway, type GatewayOptions } from 'whatsapp-operadores-gateway';

const options: GatewayOptions = { port: 0, whatsapp: { folder: 'data' } };
const gateway: Gateway = createGateway(options);
gateway.app.get('/extra', async () => ({ sockets: gateway.io.engine.clientsCount }));
const url: string = await gateway.listen();
// @ts-expect-error: a port is a number
createGateway({ port: url });
`;

/** What the compiler has to say; nothing is best. */
function compile(cwd: string, args: string[]): Promise<string> {
  const compiler = realpathSync('node_modules/typescript/bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...args], { cwd }, (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}
