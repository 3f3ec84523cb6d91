/** Returns a function that runs tasks, at most so many at a time, in order. */
export function inTurns(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (running < most) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Maps items, at most so many at a time. Rejects with the first failure, after which none begins, once those under way
 * have ended.
 */
export async function mapInTurns<T, R>(
  items: readonly T[],
  most: number,
  map: (item: T, place: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const entries = items.entries();
  let hasFailed = false;
  const work = async () => {
    for (const [place, item] of entries) {
      if (hasFailed) return;
      try {
        results[place] = await map(item, place);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: most }, work));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return results;
}
