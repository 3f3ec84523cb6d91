/** Times that change while they are shown. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { seconds } from '../session/clock.ts';
import { ANSWER_DUE_MS, elapsed } from '../session/status.ts';
import { secondsUntil } from './time.ts';

/** Whether this component has been on the screen for that many milliseconds: by default, as many as an answer may take. */
export function useLate(dueMs = ANSWER_DUE_MS): boolean {
  const [since] = useState(Date.now);
  return useSyncExternalStore(seconds, () => elapsed(since, Date.now()) >= dueMs);
}

interface LateProps {
  /** By default, when an answer is late. */
  readonly dueMs?: number;
  readonly children: ReactNode;
}

/** Shows its children once it has been on the screen for that many milliseconds. */
export function Late({ dueMs, children }: LateProps) {
  return useLate(dueMs) && children;
}

/** Whole seconds until a moment, in milliseconds since 1970; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(seconds, () => secondsUntil(until, Date.now()));
}
