import { AsyncLocalStorage } from 'node:async_hooks';

/** Hears of an exception that the library has thrown where nobody could catch it. */
export type Blamed = (error: unknown) => void;

const lines = new AsyncLocalStorage<Blamed | undefined>();

/** Does what the library does for one line; its timers, sockets and promises stay that line's. */
export function forLine<T>(blamed: Blamed, task: () => T): T {
  return lines.run(blamed, task);
}

/** Does what is our own business, though the library has called. */
export function forNoLine<T>(task: () => T): T {
  return lines.run(undefined, task);
}

/** Whether what runs now, the handlers of `unhandledRejection` and `uncaughtException` included, is a line's. */
export function isForLine(): boolean {
  return lines.getStore() !== undefined;
}

/** Blames an uncaught exception on the line that it came from; false when it came from none, and is a bug of ours. */
export function blameLine(error: unknown): boolean {
  const blamed = lines.getStore();
  blamed?.(error);
  return blamed !== undefined;
}
