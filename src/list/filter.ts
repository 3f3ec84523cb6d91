/** Which sessions the operator looks for, as pure functions. */
import { type Group, isIn } from '../session/counts.ts';
import type { Session } from '../session/session.ts';
import type { Status } from '../session/status.ts';

export interface Filter {
  /** Any part of the numero or of the state text; empty matches all. */
  readonly query: string;
  /** Undefined matches all. */
  readonly group: Group | undefined;
}

export const NO_FILTER: Filter = { query: '', group: undefined };

export function isActive({ query, group }: Filter): boolean {
  return query.trim() !== '' || group !== undefined;
}

/** Returns the test for a filter. It is made for one pass over the sessions: it caches by state text. */
export function matcher({ query, group }: Filter): (session: Session, status: Status) => boolean {
  const part = digits(query);
  const words = fold(query);
  const states = new Map<string, boolean>();
  const hasState = (state: string) => {
    const known = states.get(state) ?? fold(state).includes(words);
    states.set(state, known);
    return known;
  };
  return (session, status) =>
    (group === undefined || isIn(group, status)) &&
    ((part !== '' && digits(session.numero).includes(part)) || hasState(session.state));
}

/** Numbers are copied with all kinds of marks between their digits. */
function digits(text: string): string {
  return text.replace(/[\s+().\p{Dash}\p{Format}]/gu, '').toLowerCase();
}

function fold(text: string): string {
  return text
    .trim()
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase();
}
