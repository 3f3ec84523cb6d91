/** What the panel itself remembers of a session, as pure functions. */
import { FALLS, STATES } from '../wire.ts';
import type { Cause, Details, Session } from './session.ts';

/** A QR code that a session shows, and what is known of its age. */
export interface Code {
  /** Its first field, which names it: WhatsApp may replace its secret, another one, at any time. */
  readonly ref: string | undefined;
  /** When the panel received it, and when it ends. */
  readonly at: number;
  readonly until: number;
  /** Whether a push brought it: the age of one from a list is unknown. */
  readonly pushed: boolean;
  /** The operator asked to see it although its time was over. */
  readonly trusted?: boolean;
}

/** How long a code lives where the server does not tell, in milliseconds: WhatsApp's own rhythm. */
const lifeOf = (isFirst: boolean): number => (isFirst ? 60_000 : 20_000);

/** All moments are milliseconds since 1970, by the browser's clock. */
export interface Facts {
  /** When it last changed. */
  readonly since: number;
  /** When the panel first saw the present state text. */
  readonly stateSince: number;
  readonly cause: Cause;
  /** The last code since its start. It is kept while the session has none, since a list may bring it again. */
  readonly code?: Code;
  /** When the panel saw that it had lost its connection; until it is CONNECTED again or somebody acts. */
  readonly droppedAt?: number;
  /** How many of its last test messages failed in a row; and how many had failed before the last accepted one. */
  readonly failedSends?: number | undefined;
  readonly failedBefore?: number | undefined;
  /** When the operator started it; until that is answered or something else happens. */
  readonly startAskedAt?: number;
  /** Why the operator's last action on it failed; a start until it succeeds after all or somebody acts. */
  readonly failure?: Failure;
  /** What it was before its deletion, while that is under way. */
  readonly beforeDeletion?: Session;
}

export interface Failure {
  readonly what: 'notStarted' | 'notDeleted';
  readonly message: string;
}

/** A change of a session, with its cause. */
interface Step {
  readonly cause: Cause;
  readonly session: Session;
  readonly before: Session | undefined;
  /** The details that are shown with it: their reason says whether somebody acted on it. */
  readonly details: Details;
  readonly at: number;
}

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

/** Returns a code that a list brought, with the end that the list gives; undefined where either is missing. */
export function listedCode(code: Code | undefined, { codeExpires: until = 0 }: Details): Code | undefined {
  return code && !code.pushed && until > 0 ? { ...code, until } : undefined;
}

function codeAfter(facts: Facts | undefined, step: Step, before: Session | undefined): Code | undefined {
  const { cause, session, details, at } = step;
  const { qrCode } = session;
  const code = facts?.code;
  if (qrCode === undefined) return cause === 'started' ? undefined : code;
  const ref = qrCode.split(',')[0];
  // A code that comes again, by a push, a list or with another state, is as old as it was.
  if (code?.ref === ref) return code;
  const first = before?.qrCode === undefined;
  const { codeExpires = 0 } = details;
  // The server gives the end of one code: a later code without an end lives as others do. A list may bring a code that is over.
  const isItsEnd = codeExpires > (cause === 'listed' ? 0 : at) && codeExpires !== code?.until;
  const until = isItsEnd ? codeExpires : at + lifeOf(first);
  return { ref, at, until, pushed: cause === 'qr' };
}

function droppedAfter(facts: Facts | undefined, step: Step, before: Session | undefined): number | undefined {
  if (step.session.state === STATES.connected || isActed(step)) return undefined;
  if (before?.state !== STATES.connected) return facts?.droppedAt;
  return fellAt(step.session, step.details) ?? step.at;
}

/** Returns when a session dropped, as the server tells it. */
export function fellAt(session: Session, { reason, since }: Details): number | undefined {
  return isDown(session) && FALLS.has(reason?.code) ? since : undefined;
}

/** Whether it is not connected, and is not being deleted. */
export const isDown = ({ state }: Session) => state !== STATES.connected && state !== STATES.closing;

/** A failed start remains failed until a push shows that the session is starting or has started. */
function failureAfter(facts: Facts | undefined, step: Step): Failure | undefined {
  const { state, qrCode } = step.session;
  const isUp = state === STATES.connected || state === STATES.authenticating || qrCode !== undefined;
  return isUp || isActed(step) || facts?.failure?.what === 'notDeleted' ? undefined : facts?.failure;
}

/** Whether somebody acted on it, here or in another panel, where a change of state shows that. */
function isActed({ cause, session: { state }, details: { reason } }: Step): boolean {
  const isActedElsewhere =
    cause === 'change_state' && (state === STATES.authenticating || state === STATES.closing);
  return cause === 'started' || cause === 'closing' || isActedElsewhere || reason?.code === 'unlinked';
}
