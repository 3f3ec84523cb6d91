import { useSyncExternalStore } from 'react';
import { usePanel } from '../panel-context.ts';
import { ago, dateAndTime } from './time.ts';

interface Props {
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Puts 'hace 3 h' in a sentence. */
  readonly words?: (ago: string) => string;
}

/** How long ago something was, live, with the exact moment as its title. */
export function Ago({ since, words }: Props) {
  const { clock } = usePanel();
  const text = useSyncExternalStore(clock.subscribe, () => ago(since, Date.now()));
  return (
    <time dateTime={new Date(since).toISOString()} title={dateAndTime(since)}>
      {words?.(text) ?? text}
    </time>
  );
}
