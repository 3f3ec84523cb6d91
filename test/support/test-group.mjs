/**
 * Runs test files in one process, which loads what they share once: `node --import tsx test/support/test-group.mjs FILE…`.
 * Each file is a suite, whose hooks end with it.
 */
import { AsyncResource } from 'node:async_hooks';
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Milliseconds for a file: one that hangs fails. */
const timeout = 10 * 60_000;

let loaded = Promise.resolve();
for (const file of process.argv.slice(2)) {
  describe(file, { timeout }, () => {
    // Tests belong to the suite in whose context their module runs. Of imports at the same time, one may run another's.
    const load = AsyncResource.bind(() => import(pathToFileURL(file).href));
    loaded = loaded.catch(() => {}).then(load);
    return loaded;
  });
}
