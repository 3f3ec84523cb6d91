import { PATIENCE } from './patience.ts';

const INTERVAL_MS = 10;

// Tests mock it.
const now = performance.now.bind(performance);

/**
 * Waits for a truthy result of the condition and returns it. A condition that throws is not met yet. For Node only:
 * Testing Library's waitFor needs a document.
 * @param expectation for the message of the failure
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  expectation: string,
  timeoutMs = PATIENCE,
): Promise<NonNullable<T>> {
  const deadline = now() + timeoutMs;
  let reason = '';
  for (;;) {
    const asked = now();
    try {
      const result = await condition();
      if (result) return result;
      reason = '';
    } catch (error) {
      reason = `: ${error instanceof Error ? error.message : error}`;
    }
    if (now() > deadline) throw new Error(`Waited ${timeoutMs} ms for ${expectation}${reason}`);
    // A condition that costs much must leave time for what it waits for.
    await new Promise((resolve) => setTimeout(resolve, Math.max(INTERVAL_MS, now() - asked)));
  }
}
