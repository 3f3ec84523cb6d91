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
  describe(file, { timeout }, async () => {
    // Node takes a test for that of the suite in whose context its module runs: of two imports at a time, one may run
    // modules of the other.
    const load = AsyncResource.bind(() => import(pathToFileURL(file).href));
    const own = loaded.catch(() => {}).then(load);
    loaded = own;
    await own;
    // Tests mock clocks and functions, which a module that loads meanwhile would keep.
    await loaded.catch(() => {});
  });
}
