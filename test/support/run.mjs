/**
 * `npm test`: runs the tests in Node and in Chromium. Names of parts take their place: `npm test -- node browser firefox
 * webkit`. Paths of files or folders run what is there in Node, as one group: `npm run test:node --
 * gateway/test/cluster`. Prints what each part took, beside its budget. Fails if a test fails; with `--check-budgets` also
 * if a part takes a fifth more than its budget.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { startPace } from './pace.mjs';
import { timed } from './timed.mjs';

/** The groups of files in Node, each in a process; the longest first, so that all end at about the same time. */
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
const BROWSERS = ['browser', 'firefox', 'webkit'];
/** How many starts of Node each part may take; its measure is in `pace.mjs`. */
const BUDGETS = JSON.parse(readFileSync('test/budgets.json', 'utf8'));
/** How much more than its budget a part may take, as a factor: runs of the same code differ by less. */
const SLACK = 1.2;
/** With fewer cores, tests in Node and pages would take the time from each other. */
const CORES_FOR_ALL = 4;
/** How many groups run side by side for each core: they mostly wait. */
const GROUPS_PER_CORE = 2;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'check-budgets': { type: 'boolean' } },
});
const asked = positionals.length > 0 ? positionals : ['node', 'browser'];
const paths = asked.filter((name) => name !== 'node' && !BROWSERS.includes(name));
const cores = availableParallelism();

const pace = startPace();
const results = [];
const queue = paths.length > 0 ? [['tests', paths.flatMap(filesIn)]] : asked.includes('node') ? groups() : [];
const inNode = Promise.all(Array.from({ length: GROUPS_PER_CORE * cores }, work));
if (cores < CORES_FOR_ALL) await inNode;
for (const browser of asked.filter((name) => BROWSERS.includes(name))) {
  await run(browser, ['npm', 'run', '--silent', `test:${browser}`]);
}
await inNode;
pace.end();
report();

async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) await runGroup(...next);
}

/** Runs files in one process. */
async function runGroup(group, files) {
  if (files.length === 0) {
    console.error(`${group} │ There are no tests for Node${paths.map((path) => ` in ${path}`).join()}.`);
    process.exitCode = 1;
    return;
  }
  // A proxy of this machine would get the gateways' connections to WhatsApp, which is on this machine.
  const { HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy, ...env } = process.env;
  const reporters = ['spec', './test/support/file-reporter.mjs'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ]);
  // What a client library leaves behind, such as timers, must not keep the process alive.
  const node = [process.execPath, '--import', 'tsx', '--test-force-exit', ...reporters];
  await run(group, [...node, 'test/support/test-group.mjs', ...files], env);
}

async function run(part, command, env) {
  const before = pace.starts();
  const result = await timed(part, command, env);
  results.push({ part, start: pace.since(before), ...result });
  console.log(`${part} │ ${result.code === 0 ? 'passed' : 'FAILED'} after ${Math.round(result.seconds)} s`);
  if (result.code !== 0) process.exitCode = result.code;
}

/** Prints what each part took, and compares it with its budget. */
function report() {
  console.log();
  for (const { part, start, seconds, coreSeconds } of results) {
    const starts = Math.round(coreSeconds / start);
    const budget = BUDGETS[part];
    const isOver = starts > SLACK * budget;
    const verdict = budget === undefined ? '' : ` of ${budget}${isOver ? ': OVER BUDGET' : ''}`;
    const pace = `${starts} starts of ${Math.round(1_000 * start)} ms`;
    console.log(
      `${part} took ${Math.round(seconds)} s, ${coreSeconds.toFixed(1)} core-seconds, ${pace}${verdict}`,
    );
    if (isOver && options['check-budgets']) process.exitCode ||= 1;
  }
}

function groups() {
  const files = ['test', 'gateway/test'].flatMap(filesIn);
  const groupOf = (file) => GROUPS.find(([, pattern]) => pattern.test(file))?.[0];
  return GROUPS.map(([group]) => [group, files.filter((file) => groupOf(file) === group)]);
}

/** Returns the path of a file, or those of the tests in a folder. */
function filesIn(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found ? [path] : [];
  return readdirSync(path, { recursive: true })
    .filter((name) => name.endsWith('.test.ts') && !/\.nightly\.test\.ts$|(^|\/)node_modules\//.test(name))
    .map((name) => `${path}/${name}`)
    .sort();
}
