import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { pack } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('the package, to those who judge packages,', () => {
  const folder = temporaryFolder({ after });
  let tarball: string;

  before(() => {
    tarball = pack(folder);
  });

  it('has exports and files that every tool understands (publint)', async () => {
    assert.match(await run('publint', tarball, '--strict'), /All good!/);
  });

  it('has types that are those of its code, in every ES module resolution (Are The Types Wrong?)', async () => {
    await run('attw', tarball, '--profile', 'esm-only');
  });
});

/** What a package's command prints; rejects with it where the command fails. */
function run(command: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(`node_modules/.bin/${command}`, args, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}\n${stdout}${stderr}`));
      else resolve(stdout + stderr);
    });
  });
}
