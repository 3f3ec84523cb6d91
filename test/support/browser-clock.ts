const now = Date.now;

/**
 * Lets the page's clock jump ahead by so many milliseconds, as it does when a computer wakes up. What has been due by
 * then is noticed by the next look at the clock. Jumps add up until the end of the test.
 */
export function jumpAhead(ms: number): void {
  const before = Date.now;
  Date.now = () => before() + ms;
}

/** Stops the page's clock until the end of the test: what is not due stays so, however slow the machine is. */
export function stopClock(): void {
  const moment = Date.now();
  Date.now = () => moment;
}

afterEach(() => {
  Date.now = now;
});
