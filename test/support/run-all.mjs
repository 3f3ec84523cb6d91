/**
 * `npm test`: runs the tests in Node and in the browser side by side, since the former mostly wait. The output of the
 * former is printed after the latter. Fails if either fails.
 */
import { spawn } from 'node:child_process';

const node = run('test:node', 'pipe');
const browser = run('test:browser', 'inherit');
const printed = collect(node.child.stdout, node.child.stderr);

const browserCode = await browser.ended;
const nodeCode = await node.ended;
process.stdout.write(Buffer.concat(printed));
process.exitCode = browserCode || nodeCode;

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
