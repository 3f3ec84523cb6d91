/** Milliseconds of a minute: the panel's own wait of that length is over when a test says so. */
const MINUTE_MS = 60_000;

const restore: (() => void)[] = [];

/** Hides the page or shows it, until the end of the test. */
export function turnPage(first: DocumentVisibilityState) {
  const minutes = new Map<number, () => void>();
  const { setTimeout, clearTimeout } = window;
  const wait = (callback: () => void, ms?: number, ...args: unknown[]) => {
    const id = setTimeout(callback, ms, ...args);
    if (ms === MINUTE_MS) minutes.set(id, callback);
    return id;
  };
  const cancel = (id?: number) => {
    minutes.delete(Number(id));
    clearTimeout(id);
  };
  Object.assign(window, { setTimeout: wait, clearTimeout: cancel });
  const turn = (now: DocumentVisibilityState) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
    Object.defineProperty(document, 'hidden', { configurable: true, value: now === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  restore.push(() => {
    Object.assign(window, { setTimeout, clearTimeout });
    for (const name of ['visibilityState', 'hidden']) Reflect.deleteProperty(document, name);
  });
  turn(first);
  return {
    turn,
    /** Ends what has begun to wait for a minute since then. */
    passMinute(): void {
      for (const callback of minutes.values()) callback();
      minutes.clear();
    },
  };
}

afterEach(() => {
  for (const task of restore.splice(0)) task();
});
