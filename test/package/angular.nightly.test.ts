import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { resolveNightly } from '../support/nightly-packages.ts';

interface Babel {
  transformFileSync(path: string, options: { plugins: unknown[]; configFile: false }): { code: string };
}

const load = (name: string) => import(pathToFileURL(resolveNightly(name)).href);

test("the entry for Angular is linked by an application's build", async () => {
  const babel: Babel = await load('@babel/core');
  const linker: { default: unknown } = await load('@angular/compiler-cli/linker/babel');
  const { code } = babel.transformFileSync('dist/angular.js', {
    plugins: [linker.default],
    configFile: false,
  });
  assert.match(code, /ɵɵdefineDirective/);
  assert.doesNotMatch(code, /ɵɵngDeclare/);
});
