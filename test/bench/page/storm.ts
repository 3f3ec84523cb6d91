import { cardsByNumero, stateOf } from './cards.ts';
import { painted } from './frames.ts';
import { onPush } from './received.ts';

/** How long the last words may take to appear before those that have not are counted as lost. */
const PATIENCE_MS = 10_000;

export interface StormReport {
  /** Pushes that reached the page. */
  readonly received: number;
  /** Frames a second, from the first push to the last. */
  readonly framesPerSecond: number;
  /** Milliseconds; 0 where none took 50 or more. */
  readonly longestTask: number;
  /** When the last word of every session was on the screen, in milliseconds since 1970. */
  readonly settledAt: number;
  /** Sessions whose last word never appeared. */
  readonly lost: number;
}

/** Watches a storm of so many pushes; `words` are the last ones, of every session. */
export async function watchStorm(
  total: number,
  words: Readonly<Record<string, string>>,
): Promise<StormReport> {
  let received = 0;
  let first = 0;
  let last = 0;
  let frames = 0;
  let longestTask = 0;
  const counting = { on: true };
  const count = () => {
    if (first > 0 && received < total) frames += 1;
    if (counting.on) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
  });
  observer.observe({ type: 'longtask' });
  const stop = onPush((time) => {
    first ||= time;
    last = time;
    received += 1;
  });

  const cards = new Map(cardsByNumero());
  const missing = new Map(Object.entries(words));
  const begun = performance.now();
  const settled = await painted(0, () => {
    if (received < total && performance.now() - (last || begun) < PATIENCE_MS) return false;
    for (const [numero, word] of missing) {
      if (stateOf(cards.get(numero)) !== word) break;
      missing.delete(numero);
    }
    return missing.size === 0 || performance.now() - last > PATIENCE_MS;
  });
  stop();
  counting.on = false;
  // Long tasks are told of when they are over.
  await new Promise((resolve) => setTimeout(resolve, 300));
  observer.disconnect();
  return {
    received,
    framesPerSecond: (frames * 1000) / (last - first),
    longestTask,
    settledAt: performance.timeOrigin + settled,
    lost: missing.size,
  };
}
