/** Loaded into the gateway's process: its clock jumps by as many milliseconds as each line of its input says. */
import { createInterface } from 'node:readline';

const { now } = Date;
let shift = 0;

globalThis.Date = new Proxy(Date, {
  apply: () => new Date().toString(),
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [now() + shift], newTarget),
  get: (target, name) => (name === 'now' ? () => now() + shift : Reflect.get(target, name)),
});

createInterface({ input: process.stdin }).on('line', (line) => {
  shift += Number(line);
});
// It is no reason to stay.
process.stdin.unref();
