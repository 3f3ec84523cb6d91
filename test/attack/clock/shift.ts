/** Loaded into the gateway's process: its clock jumps by as many milliseconds as each line of its input says. */
import { createInterface } from 'node:readline';
import { fakeClock } from './fake-clock.ts';

fakeClock(Date.now());
createInterface({ input: process.stdin }).on('line', (line) => jump(Number(line)));
// It is no reason to stay.
process.stdin.unref();
