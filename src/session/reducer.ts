/** How a session changes, as a pure reducer. */
import { keepIfEqual } from '../observable.ts';
import { STATES } from '../wire.ts';
import { type Facts, type Failure, factsAfter, listedCode } from './facts.ts';
import { append, type Entry } from './history.ts';
import type { Report, SessionRecord } from './record.ts';
import {
  afterAck,
  type Cause,
  type Details,
  detailsAfter,
  keepDetails,
  type LastMessage,
  type Naming,
  NO_DETAILS,
  next,
  type Session,
  type SessionEvent,
} from './session.ts';
import { type Status, statusOf } from './status.ts';

/** An action on one session. */
export type SessionAction = {
  readonly numero: string;
} /** An event, and when it happened, in milliseconds since 1970: it may be dispatched later. */ & (
  | (SessionEvent & { readonly at: number })
  /** The server's list has it, or does not. */
  | { readonly type: 'listed'; readonly session?: Session | undefined; readonly details?: Details }
  /** Its deletion began, or failed. In between, the server's descriptions of it are not shown. */
  | { readonly type: 'closing' | 'reopened' }
  /** The operator started it; the call ended, so that an earlier failure no longer counts. */
  | { readonly type: 'startAsked' | 'startAnswered' }
  | { readonly type: 'failed'; readonly failure: Failure }
  /** The operator wants to see its code although its time is over. */
  | { readonly type: 'codeTrusted' }
  /** The server accepted a test message, whose course it may report. */
  | { readonly type: 'sent'; readonly to: string; readonly message: LastMessage | undefined }
  /** It did not; `isFailure` where the message itself is not to blame. */
  | { readonly type: 'notSent'; readonly error: string; readonly isFailure: boolean }
  /** The host page has renamed it, or its details are shown from now on or no longer. */
  | { readonly type: 'configured' }
  | { readonly type: 'tick' }
);

/** What {@link reduce} needs beside the record and the action. */
export interface Context {
  readonly now: number;
  readonly entryId: number;
  readonly naming: Naming | undefined;
  readonly areDetailsShown: boolean;
}

type Dispatched = SessionAction & Context;

/** Returns the record after an action: the same object where nothing changes; undefined where the session is not listed. */
export function reduce(record: SessionRecord | undefined, action: Dispatched): SessionRecord | undefined {
  switch (action.type) {
    case 'listed': {
      const { session, details = NO_DETAILS } = action;
      return session && withReport(record, action, keepIfEqual(record?.report.session, session), details);
    }
    case 'closing':
    case 'reopened':
      return record && advance(record, action, record.report);
    case 'details':
      return record && withDetails(record, action, detailsAfter(record.report.details, action));
    case 'configured':
      return record && withDetails(record, action, record.report.details);
    case 'code': {
      const pairing = record?.session.state === STATES.connected ? undefined : action.pairing;
      return record && keepIfEqual(record, { ...record, pairing });
    }
    case 'sent': {
      if (!record) return record;
      const { to, message: lastMessage = record.lastMessage } = action;
      const sends = { failedSends: undefined, failedBefore: record.facts.failedSends };
      return { ...withNote(record, action, sends, 'accepted', to), lastMessage };
    }
    case 'notSent': {
      if (!record) return record;
      const { failedSends = 0 } = record.facts;
      const sends = action.isFailure ? { failedSends: failedSends + 1 } : {};
      return withNote(record, action, sends, 'refused', action.error);
    }
    case 'ack': {
      if (!record?.lastMessage) return record;
      const lastMessage = afterAck(record.lastMessage, action, action.at);
      if (lastMessage === record.lastMessage) return record;
      const { failedBefore = 0 } = record.facts;
      const failedSends = lastMessage.status === 'failed' ? failedBefore + 1 : undefined;
      return { ...withFacts(record, action, { failedSends }), lastMessage };
    }
    case 'failed': {
      const { failure } = action;
      return record && withNote(record, action, { failure }, failure.what, failure.message);
    }
    case 'startAsked':
      return record && withFacts(record, action, { startAskedAt: action.now });
    case 'startAnswered':
      return record && withFacts(record, action, { startAskedAt: undefined, failure: undefined });
    case 'codeTrusted': {
      const code = record?.facts.code;
      return record && withFacts(record, action, { code: code && { ...code, trusted: true } });
    }
    case 'tick':
      return record && withFacts(record, action, {});
    default: {
      const session = next(record?.report.session, action);
      return session && withReport(record, action, session, detailsAfter(record?.report.details, action));
    }
  }
}

/** Takes the server's description of a session. During a deletion it is kept, and shown only if the deletion fails. */
function withReport(
  record: SessionRecord | undefined,
  action: Dispatched & { readonly type: Cause },
  session: Session,
  details: Details,
): SessionRecord {
  if (record?.facts.beforeDeletion) {
    const at = action.type === 'listed' ? record.report.at : action.now;
    return withDetails({ ...record, report: { ...record.report, session, at } }, action, details);
  }
  if (session === record?.report.session) return withDetails(record, action, details);
  return advance(record, action, {
    session,
    details: keepDetails(record?.report.details ?? NO_DETAILS, details),
  });
}

/** A change that is shown. Its details count at once: the reason says whether the session dropped. */
function advance(
  record: SessionRecord | undefined,
  action: Dispatched & { readonly type: Cause },
  report: Report,
): SessionRecord {
  const { type: cause, numero, now } = action;
  const before = record?.session;
  // The code goes: nobody should scan what is about to be deleted.
  const closing: Session = { numero, state: STATES.closing, waiting: true };
  const session = cause === 'closing' ? closing : report.session;
  const details = shownDetails(action, report.details, record?.details);
  const at = ('at' in action ? action.at : cause === 'reopened' && report.at) || now;
  const facts = factsAfter(record?.facts, { ...action, cause, session, before, details, at });
  // A code to type belongs to the start before, or its end was pushed to nobody.
  const isOver = cause === 'started' || cause === 'listed' || session.state === STATES.connected;
  const after = {
    ...record,
    report: cause === 'reopened' ? { ...report, at: undefined } : report,
    session,
    facts,
    history: append(record?.history ?? [], {
      ...entry(action, cause, session.state),
      // The details say who caused the state, not what else the server pushes in it.
      by: 'at' in action && session.state !== before?.state ? details.by : undefined,
    }),
    details,
    pairing: isOver ? undefined : record?.pairing,
  };
  return withStatus(after, record?.status, action);
}

function withStatus(
  record: Omit<SessionRecord, 'status'>,
  before: Status | undefined,
  { now }: Context,
): SessionRecord {
  return { ...record, status: keepIfEqual(before, statusOf(record, now)) };
}

function withFacts(record: SessionRecord, action: Context, change: Partial<Facts>): SessionRecord {
  const facts = keepIfEqual(record.facts, { ...record.facts, ...change });
  return keepIfEqual(record, withStatus({ ...record, facts }, record.status, action));
}

/** Takes details, which are no event in the session's history. */
function withDetails(record: SessionRecord, action: Dispatched, reported: Details): SessionRecord {
  const { report } = record;
  const latest = keepIfEqual(report, { ...report, details: keepDetails(report.details, reported) });
  if (latest === report && action.type !== 'configured') return record;
  const details = shownDetails(action, latest.details, record.details);
  const known = keepIfEqual(record, { ...record, report: latest, details });
  // A push gives the end of the next code.
  const code = action.type !== 'details' && listedCode(record.facts.code, details);
  return withFacts(known, action, code ? { code } : {});
}

/** Other facts, and an entry of the history that says why. */
function withNote(
  record: SessionRecord,
  action: Context,
  change: Partial<Facts>,
  what: Entry['what'],
  detail: string,
): SessionRecord {
  const note = { ...entry(action, what, record.session.state), detail };
  return { ...withFacts(record, action, change), history: append(record.history, note) };
}

function entry({ now: at, entryId: id }: Context, what: Entry['what'], state: string): Entry {
  return { at, id, what, state };
}

/** Returns the details that are shown: the names that the host page gives win over the server's. */
function shownDetails({ naming, areDetailsShown }: Context, reported: Details, before = NO_DETAILS): Details {
  const own = areDetailsShown ? reported : NO_DETAILS;
  const { label = own.label, group = own.group } = naming ?? {};
  return keepDetails(before, { ...own, label, group });
}
