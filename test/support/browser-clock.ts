const now = Date.now;

/**
 * Sets the page's clock ahead by so many milliseconds, as when a computer wakes up. Timers do not fire for it. Jumps
 * add up until the end of the test.
 */
export function jumpAhead(ms: number): void {
  const before = Date.now;
  Date.now = () => before() + ms;
}

/** Stops the page's clock until the end of the test: nothing becomes due on a slow machine. */
export function stopClock(): void {
  const moment = Date.now();
  Date.now = () => moment;
}

afterEach(() => {
  Date.now = now;
});
