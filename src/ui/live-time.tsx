/** Times that change while they are shown. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { seconds } from '../session/clock.ts';
import { ANSWER_DUE_MS, elapsed } from '../session/status.ts';
import { secondsUntil } from './time.ts';

/**
 * Whether that many milliseconds have passed, by default as many as an answer may take, since a moment in milliseconds since
 * 1970, by default since this component came on the screen.
 */
export function useLate(dueMs = ANSWER_DUE_MS, from = Date.now()): boolean {
  const [since] = useState(from);
  return useSyncExternalStore(seconds, () => elapsed(since, Date.now()) >= dueMs);
}

/** Shows its children once it has been on the screen for that many milliseconds, by default when an answer is late. */
export function Late({ dueMs, children }: { dueMs?: number; children: ReactNode }) {
  return useLate(dueMs) && children;
}

/** Whole seconds until a moment, in milliseconds since 1970; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(seconds, () => secondsUntil(until, Date.now()));
}
