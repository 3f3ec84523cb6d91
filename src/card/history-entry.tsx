import type { Entry, PastEntry } from '../session/history.ts';
import { asksOf } from '../session/states.ts';
import * as texts from '../texts.ts';
import { dateAndTime, exactTime, isToday } from '../ui/time.ts';

/** When something happened to a session, and what. */
export function HistoryEntry({ entry }: { entry: Entry | PastEntry }) {
  const { at } = entry;
  return (
    <li>
      <time dateTime={new Date(at).toISOString()}>{isToday(at) ? exactTime(at) : dateAndTime(at)}</time>{' '}
      <span data-asks={asksOf(entry)}>{texts.happened(entry)}</span>
    </li>
  );
}
