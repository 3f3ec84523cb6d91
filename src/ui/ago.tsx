import { useSyncExternalStore } from 'react';
import { usePanel } from '../panel-context.ts';
import { ago, dateAndTime } from './time.ts';

/** How long ago something was, live, with the exact moment as its title. In milliseconds since 1970. */
export function Ago({ since }: { since: number }) {
  const { clock } = usePanel();
  const text = useSyncExternalStore(clock.subscribe, () => ago(since, Date.now()));
  return (
    <time dateTime={new Date(since).toISOString()} title={dateAndTime(since)}>
      {text}
    </time>
  );
}
