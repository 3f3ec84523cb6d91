/**
 * `npm run test:nightly`: runs what takes too long for `npm test`, one after the other, since some of it measures times.
 * Fails if any of it fails.
 */
import { spawnSync } from 'node:child_process';

const ALL = ['--', '--files', 'test/**/*.browser.{ts,tsx}'];

const statuses = [
  // What only these tests need: nothing that a change waits for.
  npm('ci', '--prefix', 'test/nightly'),
  run('test:nightly:node'),
  run('test:mutants'),
  run('test:browser', '--', '--files', 'test/**/*.nightly.browser.ts'),
  run('test:firefox', ...ALL),
  run('test:webkit', ...ALL),
];
process.exitCode = statuses.every((status) => status === 0) ? 0 : 1;

function run(...script) {
  return npm('run', '--silent', ...script);
}

function npm(...args) {
  return spawnSync('npm', args, { stdio: 'inherit' }).status;
}
