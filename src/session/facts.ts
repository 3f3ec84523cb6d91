/** What the panel remembers of a session beside the server's words, as pure functions. */
import { STATES } from '../wire.ts';
import { type Code, type CodeLives, expectedLife } from './code-lifetime.ts';
import type { Cause, Details, Session } from './session.ts';

/** All moments are milliseconds since 1970, by the browser's clock. */
export interface Facts {
  /** When it last changed. */
  readonly since: number;
  /** When the state text was first known to be what it is. */
  readonly stateSince: number;
  readonly cause: Cause;
  /** The last code since its start: it is not up where the session has none, and a list may bring it again. */
  readonly code?: Code;
  /** When it was found to be CONNECTED no longer, until it is again or somebody acts. */
  readonly droppedAt?: number;
  /** When the operator asked for its start, until that is answered or something else happens. */
  readonly startAskedAt?: number;
  /** Why the operator's last action on it failed: a start until it goes well after all or somebody acts. */
  readonly failure?: Failure;
  /** What it was before its deletion, while that is under way. */
  readonly beforeDeletion?: Session;
}

/** An action of the operator that failed. */
export interface Failure {
  readonly what: 'notStarted' | 'notDeleted';
  readonly message: string;
}

/** One step of a session: what it was, what it is, and why. */
export interface Step {
  readonly cause: Cause;
  readonly session: Session;
  readonly before: Session | undefined;
  /** The details that are shown with it: their reason tells whether somebody acted on it. */
  readonly details: Details;
  readonly at: number;
  readonly interruptions: number;
  readonly codeLives: CodeLives;
}

/** Returns the facts after a step. */
export function factsAfter(facts: Facts | undefined, step: Step): Facts {
  const { cause, session, at } = step;
  const before = cause === 'reopened' ? facts?.beforeDeletion : step.before;
  return {
    since: at,
    stateSince: facts && step.before?.state === session.state ? facts.stateSince : at,
    cause,
    code: codeAfter(facts, step, before),
    droppedAt: droppedAfter(facts, step, before),
    failure: failureAfter(facts, step),
    beforeDeletion: cause === 'closing' ? (facts?.beforeDeletion ?? before) : undefined,
  };
}

/** Returns a code that a list brought, with the end that the list tells; undefined where there is none of both. */
export function listedCode(code: Code | undefined, { codeExpires: until = 0 }: Details): Code | undefined {
  return code && !code.pushed && until > code.at ? { ...code, until } : undefined;
}

function codeAfter(facts: Facts | undefined, step: Step, before: Session | undefined): Code | undefined {
  const { cause, session, details, at, interruptions, codeLives } = step;
  const { qrCode: text } = session;
  if (text === undefined) return cause === 'started' ? undefined : facts?.code;
  // A code that is told again, by a push, a list or with another state, is as old as it was.
  if (facts?.code?.text === text) return facts.code;
  const first = before?.qrCode === undefined;
  const { codeExpires = 0 } = details;
  // The server tells the end of one code: a later one, of which it tells nothing, lives as others do.
  const isItsEnd = codeExpires > at && codeExpires !== facts?.code?.until;
  const until = isItsEnd ? codeExpires : at + expectedLife(codeLives, first);
  return { text, first, at, until, pushed: cause === 'qr', interruptions };
}

function droppedAfter(facts: Facts | undefined, step: Step, before: Session | undefined): number | undefined {
  if (step.session.state === STATES.connected || isActed(step)) return undefined;
  return before?.state === STATES.connected ? step.at : facts?.droppedAt;
}

/** A start that failed stays so whatever is pushed, unless that shows that the session is coming up, or is up. */
function failureAfter(facts: Facts | undefined, step: Step): Failure | undefined {
  const { state, qrCode } = step.session;
  const isUp = state === STATES.connected || state === STATES.authenticating || qrCode !== undefined;
  return isUp || isActed(step) || facts?.failure?.what === 'notDeleted' ? undefined : facts?.failure;
}

/** Whether somebody acted on it, here or in another panel, where that shows as a change of state. */
function isActed({ cause, session: { state }, details: { reason } }: Step): boolean {
  const isActedElsewhere =
    cause === 'change_state' && (state === STATES.authenticating || state === STATES.closing);
  return cause === 'started' || cause === 'closing' || isActedElsewhere || reason?.code === 'unlinked';
}
