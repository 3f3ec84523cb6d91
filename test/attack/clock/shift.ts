/** Loaded into the gateway's process: each line of its input moves the clock by this many milliseconds. */
import { createInterface } from 'node:readline';
import { fakeClock } from './fake-clock.ts';

fakeClock(Date.now());
createInterface({ input: process.stdin }).on('line', (line) => jump(Number(line)));
// Its input must not keep the process alive.
process.stdin.unref();
