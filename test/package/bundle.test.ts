import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { buildSync } from 'esbuild';

describe('dist/index.js', () => {
  const { dependencies, version }: { dependencies: object; version: string } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );

  it('is imported by Node without a crash, since servers render pages that name it, and tells its version', () => {
    const script =
      "const { RequestError, TAG, version } = await import('whatsapp-operadores'); console.log(TAG, version, new RequestError('').name);";
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    assert.equal(output.trim(), `whatsapp-operadores ${version} RequestError`);
  });

  it('exports the classes of the entry that defines nothing', async () => {
    const [main, element]: Record<'WhatsappOperadoresElement' | 'RequestError', unknown>[] =
      await Promise.all(
        ['index.js', 'element.js'].map((name) => import(new URL(`../../dist/${name}`, import.meta.url).href)),
      );
    assert.ok(main?.WhatsappOperadoresElement);
    assert.equal(main.WhatsappOperadoresElement, element?.WhatsappOperadoresElement);
    assert.equal(main.RequestError, element?.RequestError);
  });

  it('imports nothing but declared dependencies', () => {
    const { metafile } = buildSync({
      entryPoints: ['dist/index.js'],
      bundle: true,
      packages: 'external',
      format: 'esm',
      write: false,
      metafile: true,
    });
    const imported = Object.values(metafile.outputs)
      .flatMap(({ imports }) => imports)
      .map(({ path }) => path.match(/^(@[^/]+\/)?[^/]+/)?.[0] ?? path);
    assert.notEqual(imported.length, 0);
    assert.deepEqual(
      imported.filter((name) => !(name in dependencies)),
      [],
    );
  });

  it('needs no package that could use the React of the page instead of ours', () => {
    const names = Object.keys(dependencies).filter((name) => name !== 'react-dom');
    assert.notEqual(names.length, 0);
    for (const name of names) {
      const { peerDependencies = {} }: { peerDependencies?: object } = JSON.parse(
        readFileSync(`node_modules/${name}/package.json`, 'utf8'),
      );
      assert.ok(!('react' in peerDependencies), name);
    }
  });
});

describe('third-party-licenses.txt', () => {
  const licenses = readFileSync('dist/third-party-licenses.txt', 'utf8');

  for (const file of ['element.js', 'whatsapp-operadores.js'])
    it(`has that of every package in ${file}, which names it`, () => {
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(`dist/${file}.map`, 'utf8'));
      const packages = new Set(
        sources.flatMap((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1] ?? []),
      );
      assert.notEqual(packages.size, 0);
      for (const name of packages) assert.match(licenses, new RegExp(`^Name: ${name}$`, 'm'));
      assert.ok(
        readFileSync(`dist/${file}`, 'utf8').startsWith('/*! Licenses: third-party-licenses.txt */\n'),
      );
    });
});

describe('dist/whatsapp-operadores.js', () => {
  const code = readFileSync('dist/whatsapp-operadores.js', 'utf8');

  it('holds the production build of React', () => {
    assert.match(code, /react\.dev\/errors\//);
    assert.doesNotMatch(code, /Each child in a list should have a unique/);
  });

  it('asks for nothing that a browser does not have', () => {
    assert.doesNotMatch(code, /process\.env/);
    assert.doesNotMatch(code, /\brequire\(/);
  });

  it('evaluates no text as code, which a content security policy forbids', () => {
    assert.doesNotMatch(code, /\beval\(|\bnew Function\(/);
  });

  it('has one byte for each character, so that a page without an encoding shows the accents', () => {
    assert.equal(Buffer.byteLength(code), code.length);
  });

  it('has a source map', () => {
    const map = new SourceMap(JSON.parse(readFileSync('dist/whatsapp-operadores.js.map', 'utf8')));
    const lines = code.split('\n');
    const line = lines.findIndex((text) => text.includes('CERRANDO SESI'));
    const entry = map.findEntry(line, lines[line]?.indexOf('CERRANDO SESI') ?? 0);
    assert.ok('originalSource' in entry);
    assert.match(entry.originalSource, /src\/wire\.ts$/);
    const original = readFileSync('src/wire.ts', 'utf8').split('\n')[entry.originalLine];
    assert.match(original ?? '', /CERRANDO SESI/);
  });

  it('is a classic script: it imports and exports nothing', () => {
    assert.doesNotThrow(() => new Function(code));
  });

  for (const end of ['setUp', 'setUp // done'])
    it(`calls nothing that stands before it where files are joined: '${end}'`, () => {
      const calls: string[] = [];
      const page = {
        setUp: () => calls.push('setUp'),
        customElements: { get() {}, define: (tag: string) => calls.push(tag) },
      };
      // An error would have the whole script in its stack.
      runInNewContext(end + code, page, { displayErrors: false });
      assert.deepEqual(calls, ['whatsapp-operadores']);
    });
});
