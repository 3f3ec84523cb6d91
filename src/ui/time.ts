/** What changes by time alone, while it is shown. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { seconds } from '../session/clock.ts';
import { ANSWER_DUE_MS, elapsed } from '../session/states.ts';
import { secondsUntil } from '../texts/moments.ts';

/** Shows its children once it has been on the screen for that many milliseconds, by default when an answer is late. */
export function Late({ dueMs = ANSWER_DUE_MS, children }: { dueMs?: number; children: ReactNode }) {
  const [since] = useState(Date.now);
  return useSyncExternalStore(seconds, () => elapsed(since, Date.now()) >= dueMs) && children;
}

/** Whole seconds until a moment, in milliseconds since 1970; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(seconds, () => secondsUntil(until, Date.now()));
}
