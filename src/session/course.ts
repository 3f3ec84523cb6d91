/** What the panel keeps of a session's course besides the server's words, as pure functions. */

import { STATES } from '../wire.ts';
import type { Code, Rhythm } from './code-lifetime.ts';
import type { Session, SessionEvent } from './session.ts';

/** What the panel itself did or found out, besides {@link SessionEvent}. */
export type Cause =
  | SessionEvent
  /** The list says something else than what was known, or has the session for the first time. */
  | { readonly type: 'listed' }
  /** The operator confirmed the deletion; it failed, and what the server last said is shown again. */
  | { readonly type: 'closing' | 'reopened' };

/** All moments are milliseconds since 1970, by the browser's clock. */
export interface Course {
  /** When the session was last heard of. */
  readonly since: number;
  readonly last: Cause['type'];
  /** The code that it shows, or will again if its deletion fails. */
  readonly code?: Code;
  /** The last one that it showed since its start: a list may still have it when it is over. */
  readonly lastCode?: Code;
  /** It was CONNECTED when its deletion was asked for. */
  readonly wasConnected?: boolean;
  /** When it was found to be CONNECTED no longer, until it is again or somebody acts. */
  readonly fell?: number;
  /** When the operator asked for its start, until that is answered or something else happens. */
  readonly asked?: number;
  /** Why the last action on it failed, until something else happens. */
  readonly failure?: Failure;
}

/** An action of the operator that failed. */
export interface Failure {
  readonly action: 'up' | 'delete';
  readonly error: Error;
}

interface Step {
  readonly type: Cause['type'];
  readonly session: Session;
  readonly before: Session | undefined;
  readonly at: number;
  /** How often the rhythm had been disturbed by then. */
  readonly disturbances: number;
}

/** The course after something has happened to the session. */
export function advance(course: Course | undefined, step: Step, rhythm: Rhythm): Course {
  const { type, at } = step;
  const code = codeAfter(course, step, rhythm);
  const lastCode = code ?? (type === 'started' ? undefined : course?.lastCode);
  const fell = fellAfter(course, step);
  const wasConnected =
    type === 'closing' && (course?.wasConnected || step.before?.state === STATES.connected);
  return {
    since: at,
    last: type,
    ...(code && { code }),
    ...(lastCode && { lastCode }),
    ...(fell !== undefined && { fell }),
    ...(wasConnected && { wasConnected }),
  };
}

function codeAfter(
  course: Course | undefined,
  { type, session: { qrCode: text }, at, disturbances }: Step,
  rhythm: Rhythm,
): Code | undefined {
  const last = course?.code;
  if (text === undefined) return type === 'closing' ? last : undefined;
  // However often it is told, with a push, a list or another state: its time goes on.
  if (course?.lastCode?.text === text) return course.lastCode;
  const code: Code = { text, kind: last ? 'later' : 'first', at, pushed: type === 'qr', disturbances };
  if (last) rhythm.learn(last, code);
  return code;
}

function fellAfter(course: Course | undefined, step: Step): number | undefined {
  const { type, session, before, at } = step;
  if (session.state === STATES.connected || isActed(step)) return undefined;
  const wasConnected = type === 'reopened' ? course?.wasConnected : before?.state === STATES.connected;
  return wasConnected ? at : course?.fell;
}

/** Whether somebody did something about it, here or at another panel: a start shows there as a state. */
function isActed({ type, session }: Step): boolean {
  const startedElsewhere = type === 'change_state' && session.state === STATES.authenticating;
  return type === 'started' || type === 'closing' || startedElsewhere;
}
