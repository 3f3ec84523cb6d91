/**
 * `npm test`: runs the tests in Node and in the browser side by side, since the former mostly wait. Names of other engines
 * add theirs, one after the other: `npm test -- firefox webkit`. The output of the tests in Node is printed last. Fails if
 * any of them fails.
 */
import { spawn } from 'node:child_process';

const node = run('test:node', 'pipe');
const printed = collect(node.child.stdout, node.child.stderr);

const codes = [];
for (const browser of ['browser', ...process.argv.slice(2)]) {
  codes.push(await run(`test:${browser}`, 'inherit').ended);
}
codes.push(await node.ended);
process.stdout.write(Buffer.concat(printed));
process.exitCode = codes.find((code) => code !== 0) ?? 0;

function run(script, output) {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', output, output] });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    // The code is null after a signal.
    child.on('close', (code) => resolve(code ?? 1));
  });
  return { child, ended };
}

function collect(...streams) {
  const chunks = [];
  for (const stream of streams) stream.on('data', (chunk) => chunks.push(chunk));
  return chunks;
}
