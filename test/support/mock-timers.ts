import type { MockTimersOptions, MockTracker } from 'node:test';

const { clearTimeout, clearInterval } = globalThis;

/**
 * Mocks timers, and still lets those be cleared that began before, which Node's mocks leave running: a connection that
 * `fetch` keeps and that ends meanwhile would keep its own, which throws once the connection has been collected.
 */
export function mockTimers({ timers }: Pick<MockTracker, 'timers'>, options: MockTimersOptions): void {
  timers.enable(options);
  const mocked = { clearTimeout: globalThis.clearTimeout, clearInterval: globalThis.clearInterval };
  Object.assign(globalThis, {
    clearTimeout(timer: NodeJS.Timeout) {
      clearTimeout(timer);
      mocked.clearTimeout(timer);
    },
    clearInterval(timer: NodeJS.Timeout) {
      clearInterval(timer);
      mocked.clearInterval(timer);
    },
  });
}
