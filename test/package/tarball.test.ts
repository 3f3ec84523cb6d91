import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { packedFiles } from '../support/packed-package.ts';

const manifest: {
  exports: Record<string, string | Record<string, string>>;
  types: string;
  unpkg: string;
  jsdelivr: string;
  customElements: string;
  sideEffects: string[];
  dependencies: object;
  peerDependencies?: object;
  optionalDependencies?: object;
} = JSON.parse(readFileSync('package.json', 'utf8'));

describe('what npm publishes', () => {
  const files = packedFiles();
  const { dependencies, peerDependencies = {}, optionalDependencies = {} } = manifest;
  const needed = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });

  it('has the build, and what a reader looks for first', () => {
    for (const file of [
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
      'dist/index.js',
      'dist/whatsapp-operadores.js',
      'dist/whatsapp-operadores.js.br',
      'dist/whatsapp-operadores.js.gz',
      'dist/react.js',
      'dist/third-party-licenses.txt',
      'dist/custom-elements.json',
      'dist/vscode.html-custom-data.json',
      'dist/vscode.css-custom-data.json',
    ]) {
      assert.ok(files.includes(file), `${file} is missing`);
    }
  });

  it('has nothing else', () => {
    const others = files.filter(
      (file) =>
        !/^(package\.json|(gateway\/)?(README\.md|LICENSE|CHANGELOG\.md)|(dist|docs(?!\/contributing)|gateway\/deploy)\/.+)$/.test(
          file,
        ),
    );
    assert.deepEqual(others, []);
  });

  it('has every file that package.json points to', () => {
    const targets = Object.values(manifest.exports).flatMap((target) =>
      typeof target === 'string' ? [target] : Object.values(target),
    );
    const { types, unpkg, jsdelivr, customElements } = manifest;
    for (const target of [...targets, types, unpkg, jsdelivr, customElements]) {
      assert.ok(files.includes(target.replace('./', '')), `${target} is missing`);
    }
  });

  it('tells bundlers of every module that defines the element', () => {
    const unlisted = files
      .filter((file) => /^dist\/[^/]+\.js$/.test(file))
      .filter((file) => !manifest.sideEffects.includes(`./${file}`));
    for (const file of unlisted) assert.equal(tagsDefinedBy(file), '', file);
    assert.equal(tagsDefinedBy('dist/index.js'), 'whatsapp-operadores');
  });

  it('declares nothing of the view', () => {
    const declarations = files.filter((file) => file.endsWith('.d.ts'));
    assert.deepEqual(
      declarations.filter((file) => /\/(card|dialogs|list|notices|ui)\//.test(file)),
      [],
    );
    for (const file of declarations.filter((file) => !/\/(react|svelte|vue)\.d\.ts$/.test(file))) {
      assert.doesNotMatch(readFileSync(file, 'utf8'), /from '(?!\.\.?\/)/, `${file} imports a package`);
    }
  });

  it('neither has nor needs any code of the gateway', () => {
    assert.deepEqual(
      files.filter((file) => /gateway(?!\/(README\.md|LICENSE|CHANGELOG\.md|deploy\/))/.test(file)),
      [],
    );
    const { name, dependencies }: { name: string; dependencies: object } = JSON.parse(
      readFileSync('gateway/package.json', 'utf8'),
    );
    const ofGateway = [name, ...Object.keys(dependencies), '@whiskeysockets/baileys'];
    // The panel connects to a gateway as the gateway does to the server of another engine.
    const ofBoth = ['socket.io-client'];
    assert.deepEqual(
      needed.filter((needs) => ofGateway.includes(needs) && !ofBoth.includes(needs)),
      [],
    );
  });

  it('names no folder of the machine it was built on', () => {
    for (const file of files) assert.ok(!readFileSync(file, 'utf8').includes(process.cwd()), file);
  });

  it('has types that import no package for its side effects', () => {
    // TypeScript 6 asks for the types of these too.
    for (const file of files.filter((name) => name.endsWith('.d.ts')))
      assert.doesNotMatch(readFileSync(file, 'utf8'), /^import '[^.]/m, file);
  });

  it('has source maps that name no folder of the machine it was built on', () => {
    const maps = files.filter((file) => file.endsWith('.map'));
    assert.notEqual(maps.length, 0);
    for (const map of maps) {
      const { sources }: { sources: string[] } = JSON.parse(readFileSync(map, 'utf8'));
      assert.deepEqual(
        sources.filter((source) => /^(\/|file:|[A-Za-z]:\\)/.test(source)),
        [],
        map,
      );
    }
  });
});

/** The tags that a module defines when it is imported where there are elements. */
function tagsDefinedBy(file: string): string {
  const script = `
    const tags = [];
    globalThis.customElements = { get() {}, define: (tag) => tags.push(tag) };
    await import('./${file}');
    console.log(tags.join());`;
  return execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  }).trim();
}
