import { useState } from 'react';
import { usePanel, useSelector } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { useLate } from '../ui/live-time.tsx';
import { time } from '../ui/time.ts';

/** Milliseconds after which an interruption is shown: most are shorter. */
const AWAY_MS = 5000;

/** Shows since when the live connection has been interrupted. */
export function ConnectionNotice() {
  const connected = useSelector(usePanel().store.snapshot, (snapshot) => snapshot.connected);
  return !connected && <Away />;
}

function Away() {
  const { store } = usePanel();
  const [since] = useState(() => store.snapshot.get().connectionHistory.at(-1)?.at ?? Date.now());
  return (
    <p className="away" role="status">
      {useLate(AWAY_MS) && texts.noNewsSince(time(since))}
    </p>
  );
}
