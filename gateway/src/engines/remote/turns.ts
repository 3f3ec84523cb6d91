/** Returns a function that runs tasks in order, with a limit on simultaneous ones. */
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
 * Maps items, with a limit on simultaneous ones. After a failure starts no others, and rejects with it once those under
 * way have ended.
 */
export async function mapInTurns<T, R>(
  items: readonly T[],
  most: number,
  map: (item: T) => Promise<R>,
): Promise<R[]> {
  const inTurn = inTurns(most);
  const failed = new AbortController();
  const mapped = items.map((item) =>
    inTurn(async () => {
      failed.signal.throwIfAborted();
      try {
        return await map(item);
      } catch (error) {
        failed.abort(error);
        throw error;
      }
    }),
  );
  await Promise.allSettled(mapped);
  return Promise.all(mapped);
}
