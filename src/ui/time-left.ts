import { useSyncExternalStore } from 'react';

/** Milliseconds between two looks at the clock, which may jump. */
const LOOK_MS = 500;

const tick = (look: () => void) => {
  const timer = setInterval(look, LOOK_MS);
  return () => clearInterval(timer);
};

/** Whole seconds until a moment, in milliseconds since 1970, live; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(tick, () => secondsUntil(until, Date.now()));
}

export const secondsUntil = (until: number, now: number): number =>
  Math.max(0, Math.ceil((until - now) / 1000));

/** Minutes and seconds, such as '1:05'. */
export const inMinutes = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
