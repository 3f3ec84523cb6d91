import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** From how many seconds on a test file is slow, and printed with what it takes. */
export const SLOW = 10;

/** Runs a command, and prints the processor time that it and all processes it has waited for took. */
const SCRIPT = '"$@"; code=$?; times >&3; exit $code';

/** What a command says of processes that it has not waited for. */
const OTHERS = /other processes took ([\d.]+) core-seconds\.$/;

/**
 * Runs a command to its end; each of its lines is printed after that name.
 *
 * @param {string} name
 * @param {readonly string[]} command
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ code: number, seconds: number, coreSeconds: number }>}
 */
export async function timed(name, command, env) {
  const started = performance.now();
  const child = spawn('sh', ['-c', SCRIPT, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env,
  });
  const [, stdout, stderr, printed] = child.stdio;
  let others = 0;
  for (const output of [stdout, stderr]) {
    createInterface(output).on('line', (line) => {
      console.log(`${name} │ ${line}`);
      others += Number(OTHERS.exec(line)?.[1] ?? 0);
    });
  }
  let times = '';
  printed.setEncoding('utf8').on('data', (text) => {
    times += text;
  });
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    // The code is null after a signal.
    child.on('close', (exit) => resolve(exit ?? 1));
  });
  return {
    code,
    seconds: (performance.now() - started) / 1_000,
    coreSeconds: others + secondsIn(times),
  };
}

/**
 * The core-seconds of a shell's children: the second line of `times`, such as `1m2.340000s 0m0.560000s`; Bash writes a comma
 * where the language of the machine does.
 */
export function secondsIn(times) {
  const [, children = ''] = times.replaceAll(',', '.').split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  return parts.reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}
