import { usePanel } from '../context/panel-context.ts';
import type { Entry, OwnEvent } from '../session/history.ts';
import { asksOf } from '../session/states.ts';
import { exactDateAndTime, exactTime, isToday } from '../texts/moments.ts';
import * as texts from '../texts/sentences.ts';
import { clause, type Sentence, type Translate } from '../texts/translate.ts';

/** A server may have words that the panel does not know. */
const HAPPENED = new Map<string, Sentence>(
  Object.entries(texts.happened satisfies Record<OwnEvent, Sentence>),
);

export function happened(t: Translate, entry: Omit<Entry, 'id'>): string {
  const { event, state, about = state, detail, by } = entry;
  const known = HAPPENED.get(event);
  const sentence = known ? t(known, about) : `${event}: ${state}`;
  // The reason of a `qr_timeout` says the same.
  const reason = detail && event !== 'qr_timeout' ? `. ${clause(detail)}` : '';
  return `${sentence}${reason}${by && !detail?.startsWith(by) ? ` · ${t(texts.by, by)}` : ''}`;
}

interface Props {
  readonly entry: Entry;
  /** Above the first entry of a day; '' where it is above one before. Without it, the time has the date of another day. */
  readonly day?: string;
}

export function HistoryEntry({ entry, day }: Props) {
  const { t } = usePanel();
  const { at } = entry;
  return (
    <li>
      {day && <h3>{day}</h3>}
      <time className="muted" dateTime={new Date(at).toISOString()}>
        {day === undefined && !isToday(at) ? exactDateAndTime(t, at) : exactTime(t, at)}
      </time>{' '}
      <span data-asks={asksOf(entry)}>{happened(t, entry)}</span>
    </li>
  );
}
