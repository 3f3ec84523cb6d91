import { useState } from 'react';
import { usePanel } from '../panel-context.ts';
import * as texts from '../texts.ts';
import { useLate } from '../ui/late-answer.tsx';
import { time } from '../ui/time.ts';

/** Milliseconds without a connection after which that is told: most interruptions are shorter. */
const AWAY_MS = 5000;

/** Says since when nothing is pushed. To be rendered while that lasts. */
export function ConnectionNotice() {
  const { store } = usePanel();
  const [since] = useState(() => store.snapshot.get().connectionHistory.at(-1)?.at ?? Date.now());
  return (
    <p className="away" role="status">
      {useLate(AWAY_MS) && texts.away(time(since))}
    </p>
  );
}
