import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { HELP } from '../../gateway/src/help.ts';
import { address, run } from '../../gateway/test/support/command.ts';
import { CHANGE_STATE, eventName, NUMERO_EVENTS } from '../../src/wire.ts';
import {
  CONTRACT,
  CONTRIBUTING,
  ELEMENT,
  FRAMEWORKS,
  GATEWAY,
  OPERATION,
  OPTIONS,
  PAGES,
  Page,
  README,
  THEMING,
} from './page.ts';

interface Named {
  readonly name: string;
}

interface Manifest {
  readonly modules: readonly {
    readonly declarations?: readonly {
      readonly tagName?: string;
      readonly attributes?: readonly (Named & {
        readonly type: { readonly text: string };
        readonly default: string;
      })[];
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
const gateway: Package = JSON.parse(readFileSync('gateway/package.json', 'utf8'));
const manifest: Manifest = JSON.parse(readFileSync('dist/custom-elements.json', 'utf8'));
const element = manifest.modules
  .flatMap(({ declarations = [] }) => declarations)
  .find(({ tagName }) => tagName === 'whatsapp-operadores');

const EVERYTHING = PAGES.map(({ text }) => text).join('\n');
const sorted = (names: Iterable<string>) => [...new Set(names)].sort();
const namesOf = (things: readonly Named[] = []) => sorted(things.map((thing) => thing.name));

describe('the documentation says what is so', () => {
  test('in a README of at most 200 lines, from which every page is one step away', () => {
    assert.ok(README.text.trimEnd().split('\n').length <= 200);
    for (const { path } of PAGES) {
      // What only a clone has is named by the page for contributors.
      const isNamed = path.startsWith('docs/contributing/')
        ? CONTRIBUTING.text.includes(`\`${path}\``)
        : README.links.includes(path) || path === README.path;
      assert.ok(isNamed, path);
    }
  });

  test('of files: every relative link and image has its target', () => {
    for (const { path, links } of PAGES) {
      for (const link of links) {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        assert.ok(existsSync(target), `${path}: ${link}`);
        if (anchor) assert.ok(new Page(target).anchors.includes(anchor), `${path}: ${link}`);
      }
    }
  });

  test('of what is in the repository: every path in backticks', () => {
    // The changelog also names what was.
    const text = PAGES.filter(({ path }) => path !== 'CHANGELOG.md').map((page) => page.text);
    const paths = [
      ...text.join('\n').matchAll(/`((?:\.ci|\.github|demo|docs|gateway|scripts|src|test)\/[\w./-]*)`/g),
    ].map(([, path = '']) => path);
    assert.ok(paths.length > 10);
    assert.deepEqual(
      paths.filter((path) => !existsSync(path)),
      [],
    );
  });

  test('of the npm scripts', () => {
    const named = [...EVERYTHING.matchAll(/npm run ([\w:-]+)|npm (test|start)\b/g)].map(
      ([, script, short]) => script ?? short ?? '',
    );
    assert.ok(named.length > 5);
    for (const script of named) assert.ok(scripts[script], `npm run ${script}`);
  });

  test("of the gateway's options", () => {
    const optionsIn = (text: string) =>
      sorted([...text.matchAll(/--[a-z][a-z-]+/g)].map(([option]) => option));
    const help = optionsIn(HELP);
    assert.deepEqual(optionsIn(OPTIONS.namesInTables('Options').join(' ')), help);
    const commands = EVERYTHING.match(/(?:npm start --|npx whatsapp-operadores-gateway) [^`\n]+/g) ?? [];
    for (const option of optionsIn(commands.join(' '))) assert.ok(help.includes(option), option);
  });

  test('of how to let other machines in', async (t) => {
    const [makesToken = '', starts = ''] = OPERATION.snippet('Access', 'sh').split('\n');
    const token = execFileSync('sh', ['-c', makesToken], { encoding: 'utf8' }).trim();
    const [, options = ''] = starts.split('npx whatsapp-operadores-gateway ');
    const command = run(t, ['--port', '0', ...options.split(' ')], { env: { WO_TOKEN: token } });
    const url = await address(command);
    const listed = `${url}/api/session/sessions`;
    assert.equal((await fetch(listed)).status, 401);
    assert.equal((await fetch(listed, { headers: { Authorization: `Bearer ${token}` } })).status, 200);
  });

  test('of the files that npm pack makes, both of one version', () => {
    const installedIn = (text: string) => text.match(/npm install \S*\/(\S+\.tgz)/)?.[1];
    assert.equal(installedIn(README.section('In your page')), `${name}-${version}.tgz`);
    assert.equal(installedIn(GATEWAY.section('Start')), `${name}-gateway-${version}.tgz`);
    assert.equal(gateway.version, version);
  });

  test('of the folders of the source', () => {
    const files = [...CONTRIBUTING.section('Source').matchAll(/^ {2}([\w.-]+\/?) {2,}/gm)].map(
      ([, file = '']) => file,
    );
    assert.ok(files.length > 5);
    for (const file of files) assert.ok(existsSync(`src/${file}`), file);
  });

  test('of the attributes: their names, values and defaults', () => {
    const rows = [...ELEMENT.section('Attributes').matchAll(/^\| `([^`]+)` \| (.*) \| (.*) \|$/gm)];
    assert.deepEqual(sorted(rows.map(([, name = '']) => name)), namesOf(element?.attributes));
    const inWords: Readonly<Record<string, string>> = {
      'location.origin': "the page's origin",
      false: 'off',
      "''": 'none',
      numero: 'none',
      order: '`server` for cards, `attention` for the list',
    };
    for (const [row, name = '', , documented] of rows) {
      const attribute = element?.attributes?.find((one) => one.name === name);
      const value = attribute?.default ?? '';
      assert.equal(documented, inWords[name] ?? inWords[value] ?? `\`${value.replaceAll("'", '')}\``, name);
      for (const [, word] of attribute?.type?.text.matchAll(/'([^']*)'/g) ?? [])
        assert.ok(row.includes(`\`${word}\``), `${name}: ${word}`);
    }
  });

  test('of the events', () => {
    assert.deepEqual(sorted(ELEMENT.namesInTables('Events')), namesOf(element?.events));
  });

  test('of the custom properties and parts', () => {
    const expected = [...namesOf(element?.cssProperties), ...namesOf(element?.cssParts)];
    assert.deepEqual(sorted(ELEMENT.namesInTables('Styling')), sorted(expected));
    const used = [...THEMING.text.matchAll(/(--wo-\w[\w-]*)|::part\(([\w-]+)\)/g)];
    for (const [, property, part = property ?? ''] of used) assert.ok(expected.includes(part), part);
  });

  test('of the custom states', () => {
    const states = namesOf(element?.cssStates).map((state) => `:state(${state})`);
    assert.deepEqual(sorted(THEMING.namesInTables('Custom states')), states);
  });

  test('of the pushes', () => {
    const pushes = [...NUMERO_EVENTS.map((event) => eventName(event, '{numero}')), CHANGE_STATE];
    assert.deepEqual(sorted(CONTRACT.namesInTables('Pushes')), sorted(pushes));
  });

  test('of the data for editors', () => {
    const files: Record<string, string[]> = JSON.parse(FRAMEWORKS.snippet('Editors', 'json'));
    for (const file of Object.values(files).flat()) {
      assert.ok(existsSync(file.replace(`./node_modules/${name}/`, '')), file);
    }
  });
});
