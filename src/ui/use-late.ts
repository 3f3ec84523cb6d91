import { useEffect, useState } from 'react';
import { elapsed } from '../session/status.ts';

/** Milliseconds between two looks at the clock, which may jump. */
const LOOK_MS = 500;

/** Whether an answer takes longer than so many milliseconds. It is waited for as long as the component is there. */
export function useLate(dueMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setLate(elapsed(since, Date.now()) >= dueMs), LOOK_MS);
    return () => clearInterval(timer);
  }, [dueMs]);
  return late;
}
