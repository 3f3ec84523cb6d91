import type { TestContext } from 'node:test';

/** A `timings.send` longer than any test. */
export const SEND = 3_600_000;

/** Returns the deadlines of the messages of engines whose `timings.send` is this; the test aborts them. */
export function messageDeadlines({ mock }: TestContext, send = SEND): AbortController[] {
  const deadlines: AbortController[] = [];
  const { timeout } = AbortSignal;
  mock.method(AbortSignal, 'timeout', (ms: number) => {
    if (ms !== send) return timeout(ms);
    const deadline = new AbortController();
    deadlines.push(deadline);
    return deadline.signal;
  });
  return deadlines;
}
