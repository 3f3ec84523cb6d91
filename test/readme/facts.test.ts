import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { describe, test } from 'node:test';
import { HELP } from '../../demo/gateway/options.ts';
import { address, run } from '../gateway/support/command.ts';
import { namesInTables, README, section, snippet } from './readme.ts';

interface Named {
  readonly name: string;
}

interface Manifest {
  readonly modules: readonly {
    readonly declarations?: readonly {
      readonly tagName?: string;
      readonly attributes?: readonly Named[];
      readonly events?: readonly Named[];
      readonly cssProperties?: readonly Named[];
      readonly cssParts?: readonly Named[];
      readonly cssStates?: readonly Named[];
    }[];
  }[];
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const { name, version, scripts }: Package = JSON.parse(readFileSync('package.json', 'utf8'));
const manifest: Manifest = JSON.parse(readFileSync('dist/custom-elements.json', 'utf8'));
const element = manifest.modules
  .flatMap(({ declarations = [] }) => declarations)
  .find(({ tagName }) => tagName === 'whatsapp-operadores');

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const namesOf = (things: readonly Named[] = []) => sorted(things.map((thing) => thing.name));

describe('the README says what is so', () => {
  test('of the npm scripts', () => {
    const named = [...README.matchAll(/npm run ([\w:-]+)|npm (test|start)\b/g)].map(
      ([, script, short]) => script ?? short ?? '',
    );
    assert.ok(named.length > 5);
    for (const script of named) assert.ok(scripts[script], `npm run ${script}`);
  });

  test("of the gateway's options", () => {
    const optionsIn = (text: string) =>
      sorted([...text.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option));
    const help = optionsIn(HELP);
    for (const option of optionsIn(section('The gateway'))) assert.ok(help.includes(option), option);
    const command = execFileSync('npx', ['tsx', 'demo/gateway/main.ts', '--help'], { encoding: 'utf8' });
    assert.equal(command, HELP);
  });

  test('of how to let other machines in', async (t) => {
    const [makesToken = '', starts = ''] = snippet('Who can use it', 'sh').split('\n');
    const token = execFileSync('sh', ['-c', makesToken], { encoding: 'utf8' }).trim();
    const [, options = ''] = starts.split(' -- ');
    const command = run(t, ['--port', '0', ...options.split(' ')], { env: { WO_TOKEN: token } });
    const url = await address(command);
    const listed = `${url}/api/session/sessions`;
    assert.equal((await fetch(listed)).status, 401);
    assert.equal((await fetch(listed, { headers: { Authorization: `Bearer ${token}` } })).status, 200);

    const [, ...others] = command.output.stdout.trim().split('\n');
    const { port } = new URL(url);
    const addresses = Object.values(networkInterfaces())
      .flatMap((infos = []) => infos)
      .filter(({ internal, family }) => !internal && family === 'IPv4')
      .map((info) => info.address);
    assert.deepEqual(
      others.sort(),
      addresses.map((ip) => `http://${ip}:${port}/ from other machines`).sort(),
    );
  });

  test('of the file that npm pack makes', () => {
    const [, file] = section('In your page').match(/npm install \S*\/(\S+\.tgz)/) ?? [];
    assert.equal(file, `${name}-${version}.tgz`);
  });

  test('of files: every relative link and image has its target', () => {
    const targets = [...README.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, target = '']) => target);
    const relative = targets.filter((target) => !/^[a-z]+:/.test(target));
    assert.ok(relative.length > 2);
    for (const target of relative) assert.ok(existsSync(target), target);
  });

  test('of the folders of the source', () => {
    const files = [...section('Development').matchAll(/^ {2}([\w.-]+\/?) {2,}/gm)].map(
      ([, file = '']) => file,
    );
    assert.ok(files.length > 5);
    for (const file of files) assert.ok(existsSync(`src/${file}`), file);
  });

  test('of the attributes', () => {
    assert.deepEqual(sorted(namesInTables('Attributes')), namesOf(element?.attributes));
  });

  test('of the events', () => {
    assert.deepEqual(sorted(namesInTables('Events')), namesOf(element?.events));
  });

  test('of the tokens and parts', () => {
    const expected = [...namesOf(element?.cssProperties), ...namesOf(element?.cssParts)];
    assert.deepEqual(sorted(namesInTables('Look')), sorted(expected));
  });

  test('of the custom states', () => {
    const states = [...section('Look').matchAll(/:state\((\w+)\)/g)].map(([, state = '']) => state);
    assert.deepEqual(sorted(states), namesOf(element?.cssStates));
  });
});
