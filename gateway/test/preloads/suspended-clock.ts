/**
 * Loaded before the gateway: its clocks stand still while the process does, as in a machine that is suspended. Timers
 * count steps of their own, each of which is worth little, however late it comes.
 */
const STEP = 50;
const MOST = 100;

const realNow = performance.now.bind(performance);
const realTimeout = globalThis.setTimeout;
let lost = 0;
let last = realNow();

function now(): number {
  const real = realNow();
  const passed = real - last;
  // Where the machine is only busy, the clock runs late, and catches nothing up.
  if (passed > 1_000) lost += passed - MOST;
  last = real;
  return real - lost;
}

setInterval(now, STEP).unref();
performance.now = now;

function steppedTimeout<T extends unknown[]>(
  callback: (...args: T) => void,
  delay = 0,
  ...args: T
): NodeJS.Timeout {
  if (delay <= MOST) return realTimeout(callback, delay, ...args);
  const due = now() + delay;
  const timer = setInterval(() => {
    if (now() < due) return;
    clearInterval(timer);
    callback(...args);
  }, STEP);
  return timer;
}

// What promisify makes of it is the real one.
Reflect.set(
  globalThis,
  'setTimeout',
  Object.assign(steppedTimeout, { __promisify__: realTimeout.__promisify__ }),
);
