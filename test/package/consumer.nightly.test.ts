import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { FRAMEWORKS } from '../readme/page.ts';
import { NIGHTLY_PACKAGES, resolveNightly } from '../support/nightly-packages.ts';
import { install, pack } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COMPILER = realpathSync('node_modules/typescript/bin/tsc');
const VUE_COMPILER = resolveNightly('vue-tsc/bin/vue-tsc.js');
const ANGULAR_COMPILER = `${NIGHTLY_PACKAGES}/.bin/ngc`;
const SVELTE_CHECK = `${NIGHTLY_PACKAGES}/.bin/svelte-check`;

/** How projects find their packages: as a bundler does, and as Node does. */
const RESOLUTIONS = {
  'a bundler': ['--module', 'esnext', '--moduleResolution', 'bundler'],
  Node: ['--module', 'nodenext'],
};

describe('a project that uses the package, all of its types checked,', () => {
  const folder = temporaryFolder();
  let tarball: string;

  before(() => {
    tarball = pack(folder);
  });

  for (const [resolver, options] of Object.entries(RESOLUTIONS)) {
    it(`compiles without any type of React, resolved as by ${resolver}`, async () => {
      const project = createProject('plain', resolver);
      assert.equal(await compile(project, options), '');
    });

    it(`compiles with the class alone, whose tag is its own, resolved as by ${resolver}`, async () => {
      const project = createProject('element', resolver);
      assert.equal(await compile(project, options), '');
    });

    it(`compiles with the types of React, resolved as by ${resolver}`, async () => {
      const project = createProject('react', resolver);
      for (const name of ['@types/react', 'csstype']) link(name, project);
      assert.equal(await compile(project, options), '');
    });

    it(`compiles with the types of Vue, resolved as by ${resolver}`, async () => {
      const project = createProject('vue', resolver);
      for (const name of ['vue', '@vue']) link(name, project);
      assert.equal(await compile(project, options, VUE_COMPILER), '');
    });
  }

  it('is checked in the templates of Svelte', async () => {
    const project = createProject('svelte', 'a bundler');
    link('svelte', project);
    const output = await execute(project, [SVELTE_CHECK, '--workspace', 'src']);
    assert.deepEqual(placesIn(output), wrongUses('svelte/wrong.svelte'), output);
  });

  it('compiles as the documentation has it for Angular', async () => {
    const project = createProject('angular', 'a bundler');
    for (const name of ['@angular', 'rxjs']) link(name, project, NIGHTLY_PACKAGES);
    writeFileSync(join(project, 'src/operators.ts'), FRAMEWORKS.snippet('Angular', 'ts'));
    assert.equal(await execute(project, [ANGULAR_COMPILER, '--project', 'src']), '');
  });

  function createProject(name: string, resolver: string): string {
    const project = join(folder, `${name}, ${resolver}`);
    cpSync(`test/package/consumer/${name}`, join(project, 'src'), { recursive: true });
    cpSync('test/package/consumer/tsconfig.json', join(project, 'tsconfig.json'));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    install(tarball, project);
    return project;
  }
});

/** Lets a project have one of our packages, and nothing beside it. */
function link(name: string, project: string, packages = 'node_modules'): void {
  const path = join(project, 'node_modules', name);
  mkdirSync(join(path, '..'), { recursive: true });
  symlinkSync(realpathSync(join(packages, name)), path);
}

/** What the compiler has to say; nothing is best. */
function compile(cwd: string, options: string[], compiler = COMPILER): Promise<string> {
  return execute(cwd, [compiler, '--project', '.', ...options]);
}

/** What a script prints, whether it fails or not. */
function execute(cwd: string, command: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
}

/** Where a tool has found errors, sorted: the file and its line. */
function placesIn(output: string): string[] {
  const found = stripVTControlCharacters(output).matchAll(/([\w.]+:\d+):\d+/g);
  return [...found].map(([, place = '']) => place).sort();
}

/** The place of each panel in a file where all are wrong, sorted. */
function wrongUses(path: string): string[] {
  const lines = readFileSync(`test/package/consumer/${path}`, 'utf8').split('\n');
  return lines
    .flatMap((line, index) =>
      line.includes('<whatsapp-operadores ') ? [`${basename(path)}:${index + 1}`] : [],
    )
    .sort();
}
