/** What a session asks of the operator at a moment, by its state and the time that has passed, as pure functions. */
import { STATES } from '../wire.ts';
import { type Code, type Facts, type Failure, fellAt, isDown } from './facts.ts';
import type { Details, Session } from './session.ts';
import {
  type Asks,
  asksOf,
  CONDITIONS,
  type Condition,
  conditionByState,
  FINDINGS,
  type Stuck,
  severityOf,
} from './states.ts';

/** `ended`: its time is over; `expired`: its time is over, and no other code followed at once. */
type CodeLife = 'fresh' | 'ended' | 'expired';

/** Moments are milliseconds since 1970, by the browser's clock. */
export interface Status {
  readonly condition: Condition;
  readonly asks: Asks;
  /** Undefined where no code is to be scanned. */
  readonly codeLife?: CodeLife;
  /** When the code began and will end; `codeFrom` is missing where it is unknown. */
  readonly codeFrom?: number;
  readonly codeUntil?: number;
  /** When it lost its connection, as the panel saw or as the server tells. */
  readonly droppedAt?: number | undefined;
  readonly failure?: Failure;
  /** When the status changes by time alone. */
  readonly changesAt?: number;
}

/** Milliseconds after which an answer of the server is late. */
export const ANSWER_DUE_MS = 30_000;
/** Milliseconds that a code may be on its way. */
const LATENCY_MS = 500;
/** Milliseconds from the end of a code until no other is expected. */
const OVERDUE_MS = 2500;

export function badgeOf(session: Session, { asks, condition }: Status): Asks {
  return CONDITIONS[condition].badge === 'state' ? asksOf(session) : asks;
}

export function needsAttention({ asks }: Pick<Status, 'asks'>): boolean {
  return severityOf(asks) === 'attention';
}

interface Described {
  readonly session: Session;
  readonly facts: Facts;
  readonly details: Details;
}

export function statusOf({ session, facts, details }: Described, now: number): Status {
  const { code, failure, startAskedAt, failedSends = 0 } = facts;
  const { changesAt, ...life } = codeStatus(session, code, now);
  const droppedAt = facts.droppedAt ?? fellAt(session, details);
  const wait = waitOf(session);
  const since = waitingSince(session, facts, details);
  const isStuck = wait && elapsed(since, now) >= FINDINGS[wait].patience;
  const { restricted } = details;
  const isRestricted =
    restricted !== undefined && session.state === STATES.connected && now < (restricted.until ?? Infinity);
  const isLate = startAskedAt !== undefined && elapsed(startAskedAt, now) >= ANSWER_DUE_MS;
  const changes = [
    changesAt,
    !isStuck && wait && since + FINDINGS[wait].patience,
    isRestricted && restricted.until,
    !isLate && startAskedAt !== undefined && startAskedAt + ANSWER_DUE_MS,
  ].filter((at) => typeof at === 'number');

  function conditionNow(): Condition {
    if (isLate) return 'unanswered';
    if (failure) return failure.what;
    // In another step there is nothing to do.
    if (/^(sign|confirm)$/.test(details.passkey?.step ?? '') && !session.qrCode && isDown(session))
      return 'passkey';
    if (isStuck) return wait;
    if (life.codeLife === 'expired') return 'codeExpired';
    if (facts.cause === 'qr_timeout') return 'UNPAIRED_IDLE';
    if (isRestricted) return 'restricted';
    const byState = conditionByState(session);
    if (byState === STATES.connected && failedSends > 0) return failedSends > 1 ? 'notSending' : 'sendFailed';
    return byState === STATES.authenticating && session.waiting ? 'codeDue' : byState;
  }
  const condition = conditionNow();
  // A session that could not be deleted and works as before needs nobody.
  const isWell = condition === 'notDeleted' && session.state === STATES.connected;
  return {
    condition,
    asks: isWell ? 'nothing' : CONDITIONS[condition].asks,
    ...life,
    droppedAt,
    failure,
    changesAt: changes.length > 0 ? Math.min(...changes) : undefined,
  };
}

function codeStatus(
  { state, qrCode }: Session,
  code: Code | undefined,
  now: number,
): Pick<Status, 'codeLife' | 'codeFrom' | 'codeUntil' | 'changesAt'> {
  // Some servers still send the code of a connected session, which nobody has to scan.
  if (!code || qrCode === undefined || state === STATES.connected || code.trusted) return {};
  const { at, until } = code;
  const ended = until + LATENCY_MS;
  const expired = until + OVERDUE_MS;
  // The age of a code from the future is unknown: the clock was set back.
  if (now >= expired || now < at - LATENCY_MS) return { codeLife: 'expired' };
  if (now >= ended) return { codeLife: 'ended', changesAt: expired };
  return { codeLife: 'fresh', codeFrom: code.pushed ? at : undefined, codeUntil: until, changesAt: ended };
}

/** Milliseconds since a moment. A moment in the future counts too: the clock was set back, and nothing waits for that. */
export const elapsed = (since: number, now: number): number => Math.abs(now - since);

/** A list shows a state that may have begun long before. But the server does not tell when a phone scanned the code. */
function waitingSince(session: Session, { cause, since }: Facts, details: Details): number {
  const isTold = cause === 'listed' && asksOf(session) === 'wait' && waitOf(session) !== 'notReady';
  return isTold ? Math.min(since, details.since ?? since) : since;
}

/** Returns what a waiting session is stuck in if it does not change for long. */
function waitOf(session: Session): Stuck | undefined {
  if (session.qrCode !== undefined) return undefined;
  if (session.state === STATES.closing) return 'notDeleting';
  if (session.state === STATES.connected) return session.waiting ? 'notPassing' : undefined;
  if (session.waiting) return 'noCode';
  if (asksOf(session) !== 'wait') return undefined;
  return session.state === STATES.authenticating ? 'notReady' : 'notPassing';
}
