import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { pack, project } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the packed panel, installed with its dependencies,', () => {
  const folder = temporaryFolder();
  let installed: string;

  before(async () => {
    installed = await project(join(folder, 'project'), pack(folder));
  });

  it('is imported by Node, which renders pages that name it', () => {
    for (const name of ['whatsapp-operadores', 'whatsapp-operadores/react', 'whatsapp-operadores/vue'])
      assert.equal(evaluate(`(await import('${name}')).TAG`), 'whatsapp-operadores', name);
  });

  it('has the script of the build', () => {
    const script = evaluate("fileURLToPath(import.meta.resolve('whatsapp-operadores/standalone'))");
    assert.deepEqual(readFileSync(script), readFileSync('dist/whatsapp-operadores.js'));
  });

  /** Returns what an expression comes to in a module of the project. */
  function evaluate(expression: string): string {
    const module = `import { fileURLToPath } from 'node:url'; console.log(${expression});`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', module], {
      cwd: installed,
      encoding: 'utf8',
    }).trim();
  }
});
