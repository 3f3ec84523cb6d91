import { useEffect, useState } from 'react';
import { ANSWER_DUE_MS } from '../situation.ts';

/** Milliseconds between two looks at the clock, which may jump ahead. */
const LOOK_MS = 500;

/** Says so when the answer that is waited for takes longer than it should. It is there while it is waited for. */
export function LateAnswer({ text }: { text: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setLate(Date.now() - since >= ANSWER_DUE_MS), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  return late && text;
}
