import { test } from 'node:test';
import { NIGHTLY_PACKAGES } from '../support/nightly-packages.ts';
import { pack, runTool } from '../support/packed-package.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the package has types that are those of its code, in every ES module resolution (Are The Types Wrong?)', async () => {
  const tarball = pack(temporaryFolder());
  await runTool(`${NIGHTLY_PACKAGES}/.bin/attw`, tarball, '--profile', 'esm-only');
});
