import { spawn } from 'node:child_process';
import { secondsIn } from './timed.mjs';

/** Milliseconds between two starts. */
const INTERVAL = 5_000;

/**
 * Starts Node again and again, until its end. What a start takes tells how fast the machine is meanwhile: beside other
 * programs, the same tests take twice the processor time, and so does a start.
 */
export function startPace() {
  const shell = spawn('sh', ['-c', 'while read -r _; do "$0" -e 0; done; times', process.execPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let starts = 0;
  const start = () => {
    starts += 1;
    shell.stdin.write('\n');
  };
  start();
  const timer = setInterval(start, INTERVAL);
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  return {
    /** Resolves with the core-seconds of a start. */
    async end() {
      clearInterval(timer);
      shell.stdin.end();
      await new Promise((resolve) => shell.on('close', resolve));
      return secondsIn(printed) / starts;
    },
  };
}
