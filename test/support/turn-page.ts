import { gatherTimers } from './gathered-timers.ts';

/** Milliseconds of a minute: the panel's own wait of that length is over when a test says so. */
const MINUTE_MS = 60_000;

/** Hides the page or shows it, until the end of the test. */
export function turnPage(first: DocumentVisibilityState) {
  /** Ends what has begun to wait for a minute since then. */
  const passMinute = gatherTimers((ms) => ms === MINUTE_MS);
  const turn = (now: DocumentVisibilityState) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
    Object.defineProperty(document, 'hidden', { configurable: true, value: now === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  };
  turn(first);
  return { turn, passMinute };
}

afterEach(() => {
  for (const name of ['visibilityState', 'hidden']) Reflect.deleteProperty(document, name);
});
