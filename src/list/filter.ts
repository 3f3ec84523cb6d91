/** Which sessions the operator looks for, as pure functions. */
import { type Bucket, bucketsOf } from '../session/counts.ts';
import { sectionOf } from '../session/groups.ts';
import type { SessionRecord } from '../session/record.ts';

export interface Filter {
  /** Any part of the numero, of a name or of the state text; empty matches all. */
  readonly query: string;
  /** Undefined matches all. */
  readonly bucket: Bucket | undefined;
  /** A section of the list; '' for the sessions without a group. Undefined matches all. */
  readonly section: string | undefined;
}

export const NO_FILTER: Filter = { query: '', bucket: undefined, section: undefined };

/** Returns whether a session matches, as a function of it. */
export function compile({ query, bucket, section }: Filter): (record: SessionRecord) => boolean {
  const part = digits(query);
  const searched = fold(query);
  return ({ session: { numero, state }, status, details: { label, name, group } }) =>
    (bucket === undefined || bucketsOf(status).includes(bucket)) &&
    (section === undefined || section === sectionOf(group)) &&
    ((part !== '' && digits(numero).includes(part)) ||
      fold([state, label, name, group].join('\n')).includes(searched));
}

/** Numbers are copied with all kinds of marks between their digits. */
const digits = (text: string) => text.replace(/[\s+().\p{Dash}\p{Cf}]/gu, '').toLowerCase();

const fold = (text: string) =>
  sectionOf(text)
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '');
