/** What a session asks of the operator at a moment, by its state and by the time that has passed, as pure functions. */
import * as texts from '../texts.ts';
import { STATES } from '../wire.ts';
import type { Code, CodeLifetime } from './code-lifetime.ts';
import type { Facts, Failure } from './facts.ts';
import type { Session } from './session.ts';

/**
 * What the operator has to do about a session: `nothing`; `wait`, since it passes by itself; `scan` the code that is
 * on the screen; `act`, since it takes a person; `unknown` where the panel does not know the state.
 */
export type Asks = 'nothing' | 'wait' | 'scan' | 'act' | 'unknown';

/** What has taken longer than it should. */
export type Stuck = 'no-code' | 'not-ready' | 'passing' | 'not-deleted';

/** `ended`: its time is over; `expired`: and no other code followed at once. */
type CodeLife = 'fresh' | 'ended' | 'expired';

/** Moments are milliseconds since 1970, by the browser's clock. */
export interface Status {
  readonly asks: Asks;
  readonly stuck?: Stuck;
  /** Undefined where the time of a code does not count. */
  readonly codeLife?: CodeLife;
  /** When the code began and will end; `codeFrom` is missing where it is unknown. */
  readonly codeFrom?: number;
  readonly codeUntil?: number;
  /** When it was found to be CONNECTED no longer. */
  readonly droppedAt?: number;
  readonly failure?: Failure;
  /** The server has taken too long to answer to its start. */
  readonly unanswered?: boolean;
  /** Every code of the last start ran out, and nobody had scanned one. */
  readonly unscanned?: boolean;
  /** When time alone changes the status. */
  readonly changesAt?: number;
}

/** Milliseconds without a change after which something counts as stuck. */
export const PATIENCE: Readonly<Record<Stuck, number>> = {
  /** Servers that start a browser for each session take up to 30 s. */
  'no-code': 60_000,
  /** A phone with years of messages may need a minute. */
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

/** States of whatsapp-web.js (`WAState`) that pass by themselves; an ellipsis says the same, as in spec §4. */
const PASSING = /^(OPENING|PAIRING|TIMEOUT)$|(\.{3}|…)$/;

/** What a session asks for by its state text and code alone. */
export function asksOf({ state, qrCode }: Session): Asks {
  if (state === STATES.connected) return 'nothing';
  if (qrCode !== undefined) return 'scan';
  if (PASSING.test(state)) return 'wait';
  // What can be explained needs a person, whether by the panel or, after a colon, by the server.
  return texts.states.has(state) || state.includes(': ') ? 'act' : 'unknown';
}

/** What the badge of its state shows: that an action on it failed is told beside it. */
export function badgeOf(session: Session, { asks, failure, unanswered }: Status): Asks {
  return failure || unanswered ? asksOf(session) : asks;
}

/** Whether a person has to look after it. */
export function needsAttention({ asks }: Status): boolean {
  return asks !== 'nothing' && asks !== 'wait';
}

/** Why a person has to look after it, where that is not its state alone: the reason that counts most. */
export function mainReason({
  unanswered,
  failure,
  stuck,
}: Status): 'unanswered' | Failure | Stuck | undefined {
  return unanswered ? 'unanswered' : (failure ?? stuck);
}

export function statusOf(session: Session, facts: Facts, lifetime: CodeLifetime, now: number): Status {
  const { droppedAt, failure, cause, startAskedAt, code } = facts;
  const unanswered = startAskedAt !== undefined && elapsed(startAskedAt, now) >= ANSWER_DUE_MS;
  const byTime =
    code && session.qrCode !== undefined
      ? codeStatus(session, code, lifetime, now)
      : stuckStatus(session, facts, now);
  const asks = asksOf(session);
  // One that could not be deleted and works as before needs nobody.
  const failed = failure && !(failure.action === 'delete' && asks === 'nothing');
  const status: Status = {
    asks: failed || unanswered ? 'act' : asks,
    ...(droppedAt !== undefined && { droppedAt }),
    ...(failure && { failure }),
    ...(unanswered && { unanswered }),
    ...(cause === 'qr_timeout' && { unscanned: true }),
    ...byTime,
  };
  if (startAskedAt === undefined || unanswered) return status;
  const { changesAt = Infinity } = byTime;
  return { ...status, changesAt: Math.min(changesAt, startAskedAt + ANSWER_DUE_MS) };
}

function codeStatus({ state }: Session, code: Code, lifetime: CodeLifetime, now: number): Partial<Status> {
  // Nobody has to scan the code of a connected session, and the server still sends it.
  if (state === STATES.connected || code.trusted) return {};
  const codeUntil = lifetime.end(code);
  const ended = codeUntil + LATENCY_MS;
  const expired = codeUntil + OVERDUE_MS;
  // The age of a code from the future is unknown: the clock was set back.
  if (now >= expired || now < code.at - LATENCY_MS) return { codeLife: 'expired', asks: 'act' };
  if (now >= ended) return { codeLife: 'ended', changesAt: expired };
  return { codeLife: 'fresh', ...(code.pushed && { codeFrom: code.at }), codeUntil, changesAt: ended };
}

function stuckStatus(session: Session, { since }: Facts, now: number): Partial<Status> {
  const stuck = mayStick(session);
  if (!stuck) return {};
  if (elapsed(since, now) >= PATIENCE[stuck]) return { stuck, asks: 'act' };
  return { changesAt: since + PATIENCE[stuck] };
}

/** Milliseconds since a moment. One that lies ahead counts too: the clock was set back, and nothing waits for that. */
export const elapsed = (since: number, now: number): number => Math.abs(now - since);

/** How the session would be stuck if nothing were heard of it. */
function mayStick(session: Session): Stuck | undefined {
  if (session.state === STATES.closing) return 'not-deleted';
  if (session.state === STATES.connected) return session.waiting ? 'passing' : undefined;
  if (session.waiting) return 'no-code';
  if (asksOf(session) !== 'wait') return undefined;
  return session.state === STATES.authenticating ? 'not-ready' : 'passing';
}
