/**
 * `npm run test:node`: runs the tests in Node, each group of files in one process. With paths of files or folders, runs what
 * is there as one group: `npm run test:node -- gateway/test/cluster`. Fails if a test fails.
 */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { timed } from './timed.mjs';

/** The groups, in the order in which they start: the longest first, so that all end at about the same time. */
const GROUPS = [
  ['cluster', /^gateway\/test\/cluster\//],
  ['whatsapp', /^gateway\/test\/whatsapp\//],
  ['gateway', /^gateway\/(?!test\/(cluster|whatsapp|engine-contract|remote|ledger)\/)/],
  ['contract', /^gateway\/test\/engine-contract\//],
  ['engines', /^(gateway\/test\/remote|test\/engines)\//],
  ['ledger', /^gateway\/test\/ledger\//],
  ['pages', /^test\/(?!(engines|store)\/)/],
  ['panel', /^test\/store\//],
];
/** How many groups run side by side: they mostly wait. */
const CONCURRENCY = 3;

const paths = process.argv.slice(2);
// A proxy of this machine would get the gateways' connections to WhatsApp, which is on this machine.
const { HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy, ...env } = process.env;

const queue = paths.length > 0 ? [['tests', paths.flatMap(filesIn)]] : groups();
await Promise.all(Array.from({ length: CONCURRENCY }, work));

async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) await run(...next);
}

/** Runs files in one process, and prints its lines as they come. */
async function run(group, files) {
  if (files.length === 0) {
    console.error(`${group} │ There are no tests for Node${paths.map((path) => ` in ${path}`).join()}.`);
    process.exitCode = 1;
    return;
  }
  const child = spawn(
    process.execPath,
    // What a client library leaves behind, such as timers, must not keep the process alive.
    ['--import', 'tsx', '--test-force-exit', '--test-reporter=spec', 'test/support/test-group.mjs', ...files],
    { stdio: ['ignore', 'pipe', 'pipe'], env },
  );
  for (const stream of [child.stdout, child.stderr])
    createInterface(stream).on('line', (line) => console.log(`${group} │ ${line}`));
  const code = await timed(`${group} │`, child);
  if (code !== 0) process.exitCode = code;
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
    .filter((name) => name.endsWith('.test.ts') && !/\.nightly\.test\.ts$|(^|\/)node_modules\//.test(name))
    .map((name) => `${path}/${name}`)
    .sort();
}
