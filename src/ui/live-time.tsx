/** Times that change while they are shown. */
import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { minutes, seconds } from '../session/clock.ts';
import { ANSWER_DUE_MS, elapsed } from '../session/status.ts';
import { ago, dateAndTime, secondsUntil } from './time.ts';

/** Whether this component has been on the screen for that many milliseconds. */
export function useLate(dueMs: number): boolean {
  const [since] = useState(Date.now);
  return useSyncExternalStore(seconds.subscribe, () => elapsed(since, Date.now()) >= dueMs);
}

interface LateProps {
  readonly dueMs: number;
  readonly children: ReactNode;
}

/** Shows its children once it has been on the screen for that many milliseconds. */
export function Late({ dueMs, children }: LateProps) {
  return useLate(dueMs) && children;
}

/** Shows a text once an answer is late. To be rendered while it is waited for. */
export function LateAnswer({ text }: { text: string }) {
  return useLate(ANSWER_DUE_MS) && text;
}

/** Whole seconds until a moment, in milliseconds since 1970; 0 once it is over. */
export function useSecondsLeft(until: number): number {
  return useSyncExternalStore(seconds.subscribe, () => secondsUntil(until, Date.now()));
}

interface AgoProps {
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Puts 'hace 3 h' in a sentence. */
  readonly words?: (ago: string) => string;
}

/** How long ago something was. The exact moment is its title, set under the pointer: its formatter would delay the first card. */
export function Ago({ since, words }: AgoProps) {
  const text = useSyncExternalStore(minutes.subscribe, () => ago(since, Date.now()));
  return (
    <time
      dateTime={new Date(since).toISOString()}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = dateAndTime(since);
      }}
    >
      {words?.(text) ?? text}
    </time>
  );
}
