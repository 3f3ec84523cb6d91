const restore: (() => void)[] = [];

/**
 * Gathers the page's timers of some lengths that begin from now on, until the end of the test.
 *
 * @param isMeant - tells whether timers of so many milliseconds are gathered
 * @returns what lets the time pass that they wait for, and says how many have ended since the last time, also by themselves
 */
export function gatherTimers(isMeant: (ms: number) => boolean): () => number {
  const waiting = new Map<number, () => void>();
  let ended = 0;
  const { setTimeout, clearTimeout, setInterval, clearInterval } = window;
  const cancel = (id?: number) => {
    waiting.delete(Number(id));
    // Of either kind: timeouts and intervals share their ids.
    clearTimeout(id);
  };
  Object.assign(window, {
    setTimeout(callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) {
      const end = () => {
        if (waiting.has(id)) ended += 1;
        cancel(id);
        callback(...args);
      };
      const id = setTimeout(end, ms);
      if (isMeant(ms)) waiting.set(id, end);
      return id;
    },
    setInterval(callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) {
      const end = () => {
        if (waiting.has(id)) ended += 1;
        callback(...args);
      };
      const id = setInterval(end, ms);
      if (isMeant(ms)) waiting.set(id, end);
      return id;
    },
    clearTimeout: cancel,
    clearInterval: cancel,
  });
  restore.push(() => Object.assign(window, { setTimeout, clearTimeout, setInterval, clearInterval }));
  return () => {
    // Without those that begin meanwhile.
    for (const end of [...waiting.values()]) end();
    const count = ended;
    ended = 0;
    return count;
  };
}

afterEach(() => {
  for (const task of restore.splice(0).reverse()) task();
});
