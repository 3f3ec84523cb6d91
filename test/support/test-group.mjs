/**
 * Runs test files in one process, which loads what they share once: `node --import tsx test/support/test-group.mjs FILE…`.
 * Each file is a suite, whose hooks end with it.
 */
import { AsyncResource } from 'node:async_hooks';
import { after, describe } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { endSharedPostgres } from '../../gateway/test/cluster/support/postgres.ts';

/** Milliseconds for a file: one that hangs fails, whether its tests do or its import. */
const timeout = 10 * 60_000;

// Keeps the process alive while a promise is pending that nothing will settle: Node would cancel all other files.
setInterval(() => {}, timeout);

let isOver = false;
process.on('exit', () => {
  if (isOver) return;
  console.error('The process ended before its tests.');
  process.exitCode = 1;
});
after(async () => {
  await endSharedPostgres();
  // A rejection that nobody handles is reported in a later turn: without it, that of the last test would be lost.
  await wait(0);
  isOver = true;
});

let loaded = Promise.resolve();
for (const file of process.argv.slice(2)) {
  describe(file, { timeout }, async () => {
    // Node takes a test for that of the suite in whose context its module runs: of two imports at a time, one may run
    // modules of the other.
    const load = AsyncResource.bind(() => Promise.race([import(pathToFileURL(file).href), importTimeout()]));
    const own = loaded.catch(() => {}).then(load);
    loaded = own;
    await own;
    // Tests mock clocks and functions, which a module that loads meanwhile would keep.
    await loaded.catch(() => {});
  });
}

/** Rejects after the timeout: a suite's own begins only once its file is imported. */
async function importTimeout() {
  await wait(timeout, undefined, { ref: false });
  throw new Error('The import of the file timed out.');
}
