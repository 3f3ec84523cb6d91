/** Which sessions the operator looks for, as pure functions. */

import { explain } from '../card/advice.tsx';
import { type Bucket, bucketsOf } from '../session/counts.ts';
import type { SessionRecord } from '../session/record.ts';
import { type Details, sectionOf } from '../session/session.ts';
import { severityOf } from '../session/states.ts';
import * as texts from '../texts.ts';
import type { Translate } from '../translate.ts';

export interface Filter {
  /**
   * Any part of the numero, of a name or of the state text, or the beginning of words that explain the state; empty
   * matches all.
   */
  readonly query: string;
  /** Undefined matches all. */
  readonly bucket: Bucket | undefined;
  /** A section of the list; '' for the sessions without a group. Undefined matches all. */
  readonly section: string | undefined;
}

export const NO_FILTER: Filter = { query: '', bucket: undefined, section: undefined };

export function isActive({ query, bucket, section }: Filter): boolean {
  return query.trim() !== '' || bucket !== undefined || section !== undefined;
}

/** What the panel shows of a session's state, in words. */
function wordsOn(t: Translate, record: SessionRecord): string {
  const { session, status } = record;
  return [
    session.state,
    explain(t, record),
    status.codeLife === 'expired' && t(texts.codeCovered),
    t(texts.buckets[severityOf(status.asks)]),
    status.droppedAt !== undefined && t(texts.buckets.dropped),
  ].join('\n');
}

/** Returns the test for a filter, for one pass over the sessions: many share the words on their state. */
export function matcher(
  t: Translate,
  { query, bucket, section }: Filter,
): (record: SessionRecord) => boolean {
  const part = digits(query);
  const searched = fold(query);
  const found = new Map<string, boolean>();
  const isFound = (record: SessionRecord) => {
    const words = wordsOn(t, record);
    const known =
      found.get(words) ??
      (fold(record.session.state).includes(searched) || startsWordIn(fold(words), stem(searched)));
    found.set(words, known);
    return known || namesIn(record.details).includes(searched);
  };
  return (record) =>
    (bucket === undefined || bucketsOf(record.status).includes(bucket)) &&
    (section === undefined || section === sectionOf(record.details.group)) &&
    ((part !== '' && digits(record.session.numero).includes(part)) || isFound(record));
}

const folded = new WeakMap<Details, string>();

/** What people call a session. Folded once, since each letter that is typed looks through all of them. */
function namesIn(details: Details): string {
  const { label, name, group } = details;
  const names = folded.get(details) ?? fold([label, name, group].join('\n'));
  folded.set(details, names);
  return names;
}

/** Numbers are copied with all kinds of marks between their digits. */
const digits = (text: string) => text.replace(/[\s+().\p{Dash}\p{Cf}]/gu, '').toLowerCase();

const startsWordIn = (text: string, beginning: string) =>
  ` ${text.replace(/[^\p{Letter}\p{Number}]+/gu, ' ')}`.includes(` ${beginning}`);

/** Without the ending that differs between 'vencido' and 'vencida', 'escanear' and 'escanéalo'. */
const stem = (words: string) => words.replace(/(?<=\p{Letter}{4})([ao]s?|r)$/u, '');

const fold = (text: string) =>
  sectionOf(text)
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '');
