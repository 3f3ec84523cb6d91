import { useState } from 'react';
import { TimeLeft } from '../card/advice.tsx';
import { useSecondsLeft } from '../ui/time.ts';

const RING = { cx: 14, cy: 14, r: 11, pathLength: 100, transform: 'rotate(-90 14 14)' };

/** When something ends, and what is left of its life, or of the time since it is shown, as a ring. */
export function Clock({ from, until }: { from?: number | undefined; until: number }) {
  const [since] = useState(from ?? Date.now());
  const left = (100_000 * useSecondsLeft(until)) / (until - since);
  return (
    <p className="clock muted">
      <svg
        viewBox="0 0 28 28"
        width="28"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        aria-hidden="true"
      >
        <circle {...RING} opacity=".2" />
        <circle {...RING} strokeDasharray={`${left} 100`} />
      </svg>
      <TimeLeft until={until} />
    </p>
  );
}
