import { createHook } from 'node:async_hooks';

// Baileys leaves timers behind that would keep the process alive for half a minute after the last test.
const timers = new Set<WeakRef<object>>();

createHook({
  init(_id, type, _trigger, resource) {
    if (type === 'Timeout') timers.add(new WeakRef(resource));
  },
}).enable();

/** Lets the process end despite leftover timers. For the end of a test file that uses Baileys. */
export function releaseTimers(): void {
  for (const reference of timers) {
    const timer = reference.deref();
    if (timer && 'unref' in timer && typeof timer.unref === 'function') timer.unref();
  }
}
