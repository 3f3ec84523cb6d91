import { spawn } from 'node:child_process';
import { secondsIn } from './timed.mjs';

/** Milliseconds between two starts. */
const INTERVAL = 2_000;

/**
 * Starts Node again and again, until its end. What a start takes tells how fast the machine is meanwhile: beside other
 * programs, the same tests take twice the processor time, and so does a start.
 */
export function startPace() {
  const shell = spawn('sh', ['-c', 'while read -r _; do "$0" -e 0; times; done', process.execPath], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const start = () => shell.stdin.write('\n');
  start();
  const timer = setInterval(start, INTERVAL);
  let printed = '';
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  /** What the shell's children had taken after each start: the second of the two lines of `times`. */
  const totals = () => [0, ...(printed.match(/.+\n.+\n/g)?.map(secondsIn) ?? [])];
  return {
    /** Returns how many starts have ended so far. */
    starts: () => totals().length - 1,
    /** Returns the core-seconds of a start after that many, or of the first one if there was none since. */
    since(starts) {
      const seconds = totals();
      const last = seconds.length - 1;
      return starts < last ? (seconds[last] - seconds[starts]) / (last - starts) : seconds[1];
    },
    end() {
      clearInterval(timer);
      shell.stdin.end();
    },
  };
}
