/**
 * `npm test`: runs the tests in Node and in Chromium side by side, since the former mostly wait. Names of what to run take
 * their place: `npm test -- node browser firefox webkit` also runs those of other engines, one after the other. Fails if any
 * of them fails.
 */
import { spawn } from 'node:child_process';
import { timed } from './timed.mjs';

const names = process.argv.slice(2);
const asked = names.length > 0 ? names : ['node', 'browser'];
const node = asked.includes('node') ? run('node') : 0;
const codes = [];
for (const browser of asked.filter((name) => name !== 'node')) codes.push(await run(browser));
codes.push(await node);
process.exitCode = codes.find((code) => code !== 0) ?? 0;

function run(name) {
  const script = `test:${name}`;
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'inherit', 'inherit'] });
  return timed(script, child);
}
