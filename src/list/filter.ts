/** Which sessions the operator looks for, as pure functions. */
import { explain } from '../card/explain.ts';
import { type Group, groupOf, isIn } from '../session/counts.ts';
import type { Session } from '../session/session.ts';
import type { Status } from '../session/status.ts';
import * as texts from '../texts.ts';

export interface Filter {
  /** Any part of the numero or of the state text, or the beginning of words that explain the state; empty matches all. */
  readonly query: string;
  /** Undefined matches all. */
  readonly group: Group | undefined;
}

export const NO_FILTER: Filter = { query: '', group: undefined };

export function isActive({ query, group }: Filter): boolean {
  return query.trim() !== '' || group !== undefined;
}

/** What the panel shows of a session's state, in words. */
export function wordsOn(session: Session, status: Status): string {
  return [
    session.state,
    explain(session, status),
    status.codeLife === 'expired' && texts.codeCovered,
    texts.groups[groupOf(status)],
    status.droppedAt !== undefined && texts.groups.dropped,
  ].join('\n');
}

/** Returns the test for a filter. It is made for one pass over the sessions: it caches by the words on their state. */
export function matcher({ query, group }: Filter): (session: Session, status: Status) => boolean {
  const part = digits(query);
  const searched = fold(query);
  const found = new Map<string, boolean>();
  const hasWords = (session: Session, status: Status) => {
    const words = wordsOn(session, status);
    const known =
      found.get(words) ??
      (fold(session.state).includes(searched) || startsWordIn(fold(words), stem(searched)));
    found.set(words, known);
    return known;
  };
  return (session, status) =>
    (group === undefined || isIn(group, status)) &&
    ((part !== '' && digits(session.numero).includes(part)) || hasWords(session, status));
}

/** Numbers are copied with all kinds of marks between their digits. */
function digits(text: string): string {
  return text.replace(/[\s+().\p{Dash}\p{Format}]/gu, '').toLowerCase();
}

function startsWordIn(text: string, beginning: string): boolean {
  return ` ${text.replace(/[^\p{Letter}\p{Number}]+/gu, ' ')}`.includes(` ${beginning}`);
}

/** Without the ending that differs between 'vencido' and 'vencida', 'escanear' and 'escanéalo'. */
function stem(words: string): string {
  return words.replace(/(?<=\p{Letter}{4})([ao]s?|r)$/u, '');
}

function fold(text: string): string {
  return text
    .trim()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}
