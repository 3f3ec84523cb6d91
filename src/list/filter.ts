/** Which sessions the operator looks for, and in which order, as pure functions. */

import { type Group, isIn } from '../session/counts.ts';
import type { Session } from '../session/session.ts';
import type { Situation } from '../session/status.ts';

/** From how many sessions on finding one takes more than a look. */
export const FINDING_FROM = 9;

/** What the operator asked for. */
export interface Choice {
  /** Any part of the numero or of the state text; empty finds all. */
  readonly query: string;
  /** Those alone that ask for this; undefined finds all. */
  readonly group: Group | undefined;
  /** First what needs attention and last what is well, and not in the server's order. */
  readonly urgentFirst: boolean;
}

export const EVERYTHING: Choice = { query: '', group: undefined, urgentFirst: false };

export function isFilter({ query, group }: Choice): boolean {
  return query.trim() !== '' || group !== undefined;
}

/** Gives a function that tells which sessions match; to be used at once, for any number of them. */
export function matcher({ query, group }: Choice): (session: Session, situation: Situation) => boolean {
  const part = digits(query);
  const words = fold(query);
  // Few texts are shared by many sessions.
  const states = new Map<string, boolean>();
  const hasState = (state: string) => {
    const known = states.get(state) ?? fold(state).includes(words);
    states.set(state, known);
    return known;
  };
  return (session, situation) =>
    (group === undefined || isIn(group, situation)) &&
    ((part !== '' && digits(session.numero).includes(part)) || hasState(session.state));
}

/** The smaller, the sooner it is to be looked after. */
export function rank(situation: Situation): 0 | 1 | 2 {
  if (isIn('attention', situation)) return 0;
  return isIn('waiting', situation) ? 1 : 2;
}

/** A number is copied and remembered with all kinds of marks between its digits. */
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
