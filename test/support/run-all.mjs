/**
 * `npm test`: runs the tests in Node and in the browser side by side, since the former mostly wait. Names of other engines
 * add theirs, one after the other: `npm test -- firefox webkit`. Fails if any of them fails.
 */
import { spawn } from 'node:child_process';

const node = run('node');
const codes = [];
for (const browser of ['browser', ...process.argv.slice(2)]) codes.push(await run(browser));
codes.push(await node);
process.exitCode = codes.find((code) => code !== 0) ?? 0;

async function run(name) {
  const started = performance.now();
  const child = spawn('npm', ['run', '--silent', `test:${name}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    // The code is null after a signal.
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`test:${name} ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  return code;
}
