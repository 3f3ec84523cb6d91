import { useEffect, useState } from 'react';
import { ANSWER_DUE_MS, elapsed } from '../session/status.ts';

/** Milliseconds between two looks at the clock, which may jump. */
const LOOK_MS = 500;

/** Whether this component has been on the screen for that many milliseconds. */
export function useLate(dueMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setLate(elapsed(since, Date.now()) >= dueMs), LOOK_MS);
    return () => clearInterval(timer);
  }, [dueMs]);
  return late;
}

/** Shows a text once an answer is late. To be rendered while it is waited for. */
export function LateAnswer({ text }: { text: string }) {
  return useLate(ANSWER_DUE_MS) && text;
}
