/** What a session asks of the operator at a moment, as a pure function: states, and what time has made of them. */

import { STATES } from '../wire.ts';
import type { Rhythm } from './code-lifetime.ts';
import type { Course, Failure } from './course.ts';
import type { Session } from './session.ts';
import { type Asks, asksOf } from './states.ts';

/** What has taken longer than it should. */
export type Stuck = 'no-code' | 'not-ready' | 'passing' | 'not-deleted';

/** How a code stands: it `ended` when its time was over, and is `expired` when no other came at once. */
export type CodeLife = 'fresh' | 'ended' | 'expired';

/** Moments are milliseconds since 1970, by the browser's clock. */
export interface Situation {
  readonly asks: Asks;
  readonly stuck?: Stuck;
  readonly codeLife?: CodeLife;
  /** From when to when the code lives; the beginning is missing where it is not known. */
  readonly codeFrom?: number;
  readonly codeUntil?: number;
  /** When it was found to be CONNECTED no longer. */
  readonly fell?: number;
  readonly failure?: Failure;
  /** The server has not answered to its start for too long. */
  readonly unanswered?: boolean;
  /** Every code of the last start ran out, and nobody had scanned one. */
  readonly unscanned?: boolean;
  /** When time alone makes it another situation. */
  readonly changesAt?: number;
}

/** Milliseconds without a word of the server after which something is said to be stuck. */
export const PATIENCE: Readonly<Record<Stuck, number>> = {
  /** Servers that start a browser for each session take up to half of it. */
  'no-code': 60_000,
  /** A phone with years of messages may well need a minute. */
  'not-ready': 90_000,
  passing: 180_000,
  'not-deleted': 30_000,
};

/** Milliseconds after which an answer of the server is late. */
export const ANSWER_DUE_MS = 30_000;
/** Milliseconds that a code may be on its way. */
const LATENCY_MS = 500;
/** Milliseconds from the end of a code until no other is expected. */
const OVERDUE_MS = 2500;

export function situationOf(session: Session, course: Course, rhythm: Rhythm, now: number): Situation {
  const { fell, failure, last, asked } = course;
  const unanswered = asked !== undefined && elapsed(asked, now) >= ANSWER_DUE_MS;
  const told = {
    ...(fell !== undefined && { fell }),
    ...(failure && { failure }),
    ...(unanswered && { unanswered }),
    ...(last === 'qr_timeout' && { unscanned: true }),
  };
  const inTime =
    course.code && session.qrCode !== undefined
      ? codeSituation(session, course.code, rhythm, now)
      : stuckSituation(session, course, now);
  const asks = asksOf(session);
  // One that could not be deleted and works as before is nobody's trouble.
  const failed = failure && !(failure.action === 'delete' && asks === 'nothing');
  const situation = { asks: failed || unanswered ? 'act' : asks, ...told, ...inTime };
  if (asked === undefined || unanswered) return situation;
  const { changesAt = Number.POSITIVE_INFINITY } = inTime;
  return { ...situation, changesAt: Math.min(changesAt, asked + ANSWER_DUE_MS) };
}

function codeSituation(
  { state }: Session,
  code: NonNullable<Course['code']>,
  rhythm: Rhythm,
  now: number,
): Partial<Situation> {
  const codeUntil = rhythm.end(code);
  const ended = codeUntil + LATENCY_MS;
  const expired = codeUntil + OVERDUE_MS;
  // It was needed once, and the server has not taken it back.
  if (state === STATES.connected) return { codeLife: 'ended' };
  // Of a code from a future, since the clock was set back, nobody knows the age.
  if (now >= expired || now < code.at - LATENCY_MS) return { codeLife: 'expired', asks: 'act' };
  if (now >= ended) return { codeLife: 'ended', changesAt: expired };
  return { codeLife: 'fresh', ...(code.pushed && { codeFrom: code.at }), codeUntil, changesAt: ended };
}

function stuckSituation(session: Session, { since }: Course, now: number): Partial<Situation> {
  const stuck = mayStick(session);
  if (!stuck) return {};
  if (elapsed(since, now) >= PATIENCE[stuck]) return { stuck, asks: 'act' };
  return { changesAt: since + PATIENCE[stuck] };
}

/** Milliseconds since a moment; to one that lies ahead, since the clock was set back: nothing waits for that. */
export const elapsed = (since: number, now: number): number => Math.abs(now - since);

/** How this session would be stuck if nothing were heard of it. */
function mayStick(session: Session): Stuck | undefined {
  if (session.state === STATES.closing) return 'not-deleted';
  if (session.state === STATES.connected) return session.waiting ? 'passing' : undefined;
  if (session.waiting) return 'no-code';
  if (asksOf(session) !== 'wait') return undefined;
  return session.state === STATES.authenticating ? 'not-ready' : 'passing';
}
