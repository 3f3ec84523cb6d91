/**
 * `npm test`: runs the tests in Node and in the browser side by side, since the former mostly wait. Names of other engines
 * add theirs, one after the other: `npm test -- firefox webkit`. Fails if any of them fails.
 */
import { spawn } from 'node:child_process';
import { timed } from './timed.mjs';

const node = run('test:node');
const codes = [];
for (const browser of ['browser', ...process.argv.slice(2)]) codes.push(await run(`test:${browser}`));
codes.push(await node);
process.exitCode = codes.find((code) => code !== 0) ?? 0;

function run(script) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  return timed(script, child);
}
