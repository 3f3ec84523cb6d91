/**
 * `npm run test:node`: runs the tests in Node, each group of files in one process. With paths of files or folders, runs what
 * is there as one group: `npm run test:node -- gateway/test/cluster`. Fails if a test fails.
 */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** The groups, those that take longest first. A file belongs to the first that matches. */
const GROUPS = [
  ['cluster', /^gateway\/test\/cluster\//],
  ['whatsapp', /^gateway\/test\/whatsapp\//],
  ['engines', /^(gateway\/test\/(engine-contract|remote)|test\/engines)\//],
  ['store', /^gateway\/test\/store\//],
  ['panel', /^test\/store\//],
  ['gateway', /^gateway\//],
  ['pages', /^test\//],
];
/** How many groups run side by side: they mostly wait. */
const CONCURRENCY = 3;

const paths = process.argv.slice(2);
const queue = paths.length > 0 ? [['tests', paths.flatMap(filesIn)]] : groups();
const codes = await Promise.all(Array.from({ length: CONCURRENCY }, work));
process.exitCode = Math.max(...codes.flat());

async function work() {
  const done = [];
  for (let next = queue.shift(); next; next = queue.shift()) done.push(await run(...next));
  return [0, ...done];
}

/** Runs files in one process, and prints its lines as they come. Resolves with 0 if all tests passed. */
async function run(group, files) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    // What a client library leaves behind, such as timers, must not keep the process alive.
    ['--import', 'tsx', '--test-force-exit', '--test-reporter=spec', 'test/support/test-group.mjs', ...files],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => console.log(`${group} │ ${line}`));
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    // The code is null after a signal.
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`${group} │ ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  return code;
}

function groups() {
  const files = ['test', 'gateway/test'].flatMap(filesIn);
  const groupOf = (file) => GROUPS.find(([, paths]) => paths.test(file))?.[0];
  return GROUPS.map(([group]) => [group, files.filter((file) => groupOf(file) === group)]);
}

/** Returns the path of a file, or those of the tests in a folder. */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.nightly.test.ts'))
    .map((name) => `${path}/${name}`)
    .sort();
}
