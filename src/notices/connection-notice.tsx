import { useLayoutEffect, useRef, useState } from 'react';
import { usePanel, useSelector } from '../context/panel-context.ts';
import * as texts from '../texts.ts';
import { useLate } from '../ui/live-time.tsx';
import { time } from '../ui/time.ts';

/** Milliseconds after which an interruption is shown: most are shorter. */
const AWAY_MS = 5000;

/** Shows since when the live connection has been interrupted: in the bar, and on the sessions. */
export function ConnectionNotice() {
  const connected = useSelector(usePanel().store.snapshot, (snapshot) => snapshot.connected);
  return !connected && <Away />;
}

function Away() {
  const { t } = usePanel();
  const strip = useRef<HTMLParagraphElement>(null);
  const [since] = useState(Date.now);
  const isShown = useLate(AWAY_MS);
  // The style sheet puts the words on the sessions: thousands need not render for them.
  useLayoutEffect(() => {
    const panel = strip.current?.closest<HTMLElement>('.panel');
    if (!isShown || !panel) return;
    panel.dataset.away = '';
    panel.style.setProperty('--_no-news', JSON.stringify(t(texts.noNewsSince, time(t, since))));
    return () => {
      delete panel.dataset.away;
      panel.style.removeProperty('--_no-news');
    };
  }, [isShown, since, t]);
  return (
    <p ref={strip} className="away" role="status">
      {isShown && t(texts.away, time(t, since))}
    </p>
  );
}
