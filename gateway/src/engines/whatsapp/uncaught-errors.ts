import { AsyncLocalStorage } from 'node:async_hooks';

/** Receives an exception that the client library threw where nobody could catch it. */
type UncaughtHandler = (error: unknown) => void;

const handlers = new AsyncLocalStorage<UncaughtHandler | undefined>();

/** Runs library code for one connection: exceptions of its timers, sockets and promises go to `onUncaught`. */
export function inLibrary<T>(onUncaught: UncaughtHandler, task: () => T): T {
  return handlers.run(onUncaught, task);
}

/** Runs our own code, called by the library: its uncaught exceptions are bugs of ours. */
export function outsideLibrary<T>(task: () => T): T {
  return handlers.run(undefined, task);
}

/** Passes an uncaught exception to the connection it came from; false when it came from none. */
export function handleUncaught(error: unknown): boolean {
  const handler = handlers.getStore();
  handler?.(error);
  return handler !== undefined;
}

let ignored = false;

/**
 * Keeps the library's unhandled rejections from ending the process: when a connection is cut, or WhatsApp refuses
 * something, promises reject that nobody awaits, and the connection is fine. Ours still end it. Not needed once the
 * library handles its own.
 */
export function ignoreLibraryRejections(): void {
  if (ignored) return;
  ignored = true;
  process.on('unhandledRejection', (reason) => {
    if (handlers.getStore() === undefined) throw reason;
  });
}
