import { useSyncExternalStore } from 'react';
import { usePanel } from '../context/panel-context.ts';
import { minutes } from '../session/clock.ts';
import { ago, exactDateAndTime } from '../ui/time.ts';

interface AgoProps {
  /** In milliseconds since 1970. */
  readonly since: number;
  /** Puts 'hace 3 h' in a sentence. */
  readonly words?: ((ago: string) => string) | undefined;
}

/** How long ago something was. The exact moment is its title, set under the pointer: its formatter would delay the first card. */
export function Ago({ since, words }: AgoProps) {
  const { t } = usePanel();
  const text = useSyncExternalStore(minutes, () => ago(t, since, Date.now()));
  return (
    <time
      dateTime={new Date(since).toISOString()}
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = exactDateAndTime(t, since);
      }}
    >
      {words?.(text) ?? text}
    </time>
  );
}
