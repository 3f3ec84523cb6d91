import asyncHooks, { AsyncLocalStorage } from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

/** Whether each promise copies the values of all storages; Node 24 keeps them in one frame, and its class in place. */
const COPIES = Number.parseInt(process.versions.node, 10) < 24;

const NAME = 'AsyncLocalStorage';

/** The runs of all storages that are under way in this context, the innermost first. */
const runs = new AsyncLocalStorage<readonly object[]>();

/** `run` and `getStore` as in Node's class, but all instances share one storage of Node's. */
export class SharedStorage<T> extends AsyncLocalStorage<T> {
  readonly #values = new WeakMap<object, T>();

  override run<R, A extends unknown[]>(value: T, task: (...args: A) => R, ...args: A): R {
    const run = {};
    this.#values.set(run, value);
    const outer = (runs.getStore() ?? []).filter((other) => !this.#values.has(other));
    return runs.run([run, ...outer], task, ...args);
  }

  override getStore(): T | undefined {
    const run = runs.getStore()?.find((candidate) => this.#values.has(candidate));
    return run && this.#values.get(run);
  }
}

/**
 * Runs library code that creates instances of `AsyncLocalStorage`, which it then gets as {@link SharedStorage}.
 *
 * The client library creates one for each connection and never disables it (`Utils/auth-utils.js`). Up to Node 23 every
 * promise and timer of the process copies the value of each storage that was ever used: with 500, an `await` takes 65
 * µs instead of 1, and every reconnection adds another one, for as long as the process lives. It can be removed
 * together with the support of Node 22.
 */
export function withSharedStorage<T>(task: () => T): T {
  const original = COPIES && Object.getOwnPropertyDescriptor(asyncHooks, NAME);
  if (!original) return task();
  // Node 22 has a getter there.
  Object.defineProperty(asyncHooks, NAME, { value: SharedStorage, configurable: true, enumerable: true });
  syncBuiltinESMExports();
  try {
    // A reconnection does not belong to the run that ended the last connection.
    return runs.run([], task);
  } finally {
    Object.defineProperty(asyncHooks, NAME, original);
    syncBuiltinESMExports();
  }
}
