/**
 * `npm run test:nightly`: runs what takes too long for `npm test`, one after the other, since some of it measures times.
 * Fails if any of it fails.
 */
import { spawn, spawnSync } from 'node:child_process';

const ALL = ['--', '--files', 'test/**/*.browser.{ts,tsx}'];
/** How often the tests in Node run starved: what fails on a slow machine may fail once in three times. */
const ROUNDS = 3;

const statuses = [
  // What only these tests need: nothing that a change waits for.
  npm('ci', '--prefix', 'test/nightly'),
  run('test:nightly:node'),
  run('test:mutants'),
  run('test:browser', '--', '--files', 'test/**/*.nightly.browser.ts'),
  run('test:firefox', ...ALL),
  run('test:webkit', ...ALL),
  run('test:slowed'),
  ...Array.from({ length: ROUNDS }, starved),
];
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

function run(...script) {
  return npm('run', '--silent', ...script);
}

function npm(...args) {
  return spawnSync('npm', args, { stdio: 'inherit' }).status;
}

/** Runs the tests in Node on one core, half of which a busy loop takes. */
function starved() {
  const onOneCore = ['--cpu-list', '0'];
  // It ends with this process, however that ends.
  const busy = `while (process.ppid === ${process.pid});`;
  const loop = spawn('taskset', [...onOneCore, process.execPath, '--eval', busy], { stdio: 'ignore' });
  const { status } = spawnSync('taskset', [...onOneCore, 'npm', 'run', '--silent', 'test:node'], {
    stdio: 'inherit',
  });
  loop.kill('SIGKILL');
  return status;
}
