import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pack, runTool } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the package has exports and files that every tool understands (publint)', async () => {
  const tarball = pack(temporaryFolder());
  assert.match(await runTool('node_modules/.bin/publint', tarball, '--strict'), /All good!/);
});
