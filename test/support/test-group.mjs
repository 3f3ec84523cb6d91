/**
 * Runs test files in one process, which loads what they share once: `node --import tsx test/support/test-group.mjs FILE…`.
 * Each file is a suite, whose hooks end with it.
 */
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

/** Milliseconds for a file: one that hangs fails. */
const timeout = 5 * 60_000;

for (const file of process.argv.slice(2)) {
  describe(file, { timeout }, () => import(pathToFileURL(file).href));
}
