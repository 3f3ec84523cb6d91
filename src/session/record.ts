/** What is known of one session, and how an action changes it, as pure functions. */
import { keepIfEqual } from '../observable.ts';
import { STATES } from '../wire.ts';
import { isIn } from './groups.ts';
import type { Entry, OwnEvent } from './history.ts';
import {
  afterAck,
  apply,
  type Cause,
  type Description,
  type Details,
  keepDetails,
  type LastMessage,
  type Naming,
  NO_DETAILS,
  type Pairing,
  type Session,
  type TimedEvent,
} from './session.ts';
import { type Code, droppedAt, type Failure, type Known, type Status, statusOf } from './states.ts';

/**
 * What is known of one session. Never changed in place. The session is shown as reported, unless its deletion is under way;
 * the details with the names of the host page.
 */
export interface SessionRecord extends Known {
  /** The server's latest description. */
  readonly report: Description;
  /** When a push gave it, where that was during a deletion. */
  readonly reportedAt?: number | undefined;
  /** Whether it is in a group that is shown. */
  readonly isShown: boolean;
  /** What it asks of the operator now. The same object until a field changes, as the details are. */
  readonly status: Status;
  /** The last fifty things that happened to it, the oldest first. */
  readonly history: readonly Entry[];
  /** When the panel first saw the present state text. */
  readonly stateSince: number;
  /** What it was before its deletion, while that is under way. */
  readonly beforeDeletion?: Session | undefined;
  /** The code to type on the phone: until it is over, or the session is CONNECTED. */
  readonly pairing?: Pairing | undefined;
  /** The last test message that was accepted, where the server reports its delivery. */
  readonly lastMessage?: LastMessage | undefined;
  /** How many test messages had failed in a row before the last accepted one. */
  readonly failedBefore?: number | undefined;
}

/** Whether two records look the same: the server's description of a session that is being deleted is not shown. */
export function looksEqual(one: SessionRecord, other: SessionRecord): boolean {
  const { report, reportedAt } = one;
  return keepIfEqual(one, { ...other, report, reportedAt }) === one;
}

/** An action on one session. */
export type SessionAction = {
  readonly numero: string;
} & (
  | TimedEvent
  /** The server's list has it, or does not. */
  | { readonly type: 'listed'; readonly description: Description | undefined }
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
  /** What the host page calls the session. */
  readonly naming: Naming | undefined;
  /** The groups whose sessions are shown, separated by commas; all sessions where it is empty. */
  readonly group: string;
  readonly areDetailsShown: boolean;
}

/** Returns the record after an action: the same object where nothing changes; undefined where the session is not listed. */
export function reduce(
  record: SessionRecord | undefined,
  action: SessionAction,
  context: Context,
): SessionRecord | undefined {
  const change = (values: Partial<SessionRecord>, entry?: NewEntry) =>
    record && settle(record, { ...record, ...values }, context, entry);
  switch (action.type) {
    case 'tick':
      return change({});
    case 'code':
      return change({ pairing: action.pairing });
    case 'startAsked':
      return change({ startAskedAt: context.now });
    case 'startAnswered':
      return change({ startAskedAt: undefined, failure: undefined });
    case 'failed':
      return change(
        { startAskedAt: undefined, failure: action.failure },
        { event: action.failure.what, about: action.failure.message },
      );
    case 'codeTrusted':
      return change({ code: record?.code && { ...record.code, trusted: true } });
    case 'sent':
      return change(
        { lastMessage: action.message, failedSends: undefined, failedBefore: record?.failedSends },
        { event: 'accepted', about: action.to },
      );
    case 'notSent': {
      const failedSends = (record?.failedSends ?? 0) + Number(action.isFailure);
      return change({ failedSends }, { event: 'refused', about: action.error });
    }
    case 'ack': {
      const lastMessage = record?.lastMessage && afterAck(record.lastMessage, action);
      if (lastMessage === record?.lastMessage) return record;
      const hasFailed = lastMessage?.status === 'failed';
      return change({ lastMessage, failedSends: hasFailed ? (record?.failedBefore ?? 0) + 1 : undefined });
    }
    default:
      return describe(record, action, context);
  }
}

type Described = Extract<SessionAction, { readonly type: Cause | 'details' | 'configured' }>;

/** Takes the server's description of a session. During a deletion it is kept, and shown only if the deletion fails. */
function describe(
  record: SessionRecord | undefined,
  action: Described,
  context: Context,
): SessionRecord | undefined {
  const { type } = action;
  const before = record?.report;
  const latest = type === 'listed' ? action.description : 'at' in action ? apply(before, action) : before;
  if (!latest) return undefined;
  const isWhole = type === 'listed' || type === 'created';
  const report = keepIfEqual(before, {
    session: isWhole ? keepIfEqual(before?.session, latest.session) : latest.session,
    details: keepDetails(before?.details ?? NO_DETAILS, latest.details),
  });
  const session = shownSession(record, type, report.session);
  const details = shownDetails(context, report.details, record?.details);
  const pushedAt = 'at' in action ? action.at : undefined;
  if (type === 'details' || type === 'configured' || session === record?.session) {
    // A list gives the end of the code that it brings; a push, that of the next one.
    const until = type !== 'details' && details !== record?.details && details.codeExpires;
    const code = record?.code && until && !record.code.pushed ? { ...record.code, until } : record?.code;
    const reportedAt = (report.session !== before?.session && pushedAt) || record?.reportedAt;
    return record && settle(record, { ...record, report, reportedAt, details, code }, context);
  }
  const since = (type === 'reopened' ? record?.reportedAt : pushedAt) ?? context.now;
  // The details say who caused the state, not what else the server pushes in it.
  const by = pushedAt === undefined || session.state === record?.session.state ? undefined : details.by;
  const shown = { session, details, since, cause: type };
  return settle(record, { report, ...changeState(record, shown) }, context, { event: type, by });
}

function shownSession(
  record: SessionRecord | undefined,
  type: Described['type'],
  reported: Session,
): Session {
  // The code goes: nobody should scan what is about to be deleted.
  if (type === 'closing') return { numero: reported.numero, state: STATES.closing, waiting: true };
  return record?.beforeDeletion && type !== 'reopened' ? record.session : reported;
}

/** Returns the details that are shown: the names that the host page gives win over the server's. */
function shownDetails({ naming, areDetailsShown }: Context, reported: Details, before = NO_DETAILS): Details {
  const own = areDetailsShown ? reported : NO_DETAILS;
  const { label = own.label, group = own.group } = naming ?? {};
  return keepDetails(before, { ...own, label, group });
}

/** How many entries of a session are kept. */
const KEPT = 50;

type NewEntry = Pick<Entry, 'about' | 'by'> & { readonly event: OwnEvent };

/** Completes a record by what follows from the rest of it, and adds an entry to its history. */
function settle(
  before: SessionRecord | undefined,
  after: Omit<SessionRecord, 'status' | 'isShown' | 'history'>,
  { now, entryId: id, naming, group }: Context,
  entry?: NewEntry,
): SessionRecord {
  const { state } = after.session;
  const { history = [] } = before ?? {};
  return keepIfEqual(before, {
    ...after,
    history: entry ? [...history.slice(1 - KEPT), { ...entry, state, at: now, id }] : history,
    pairing: state === STATES.connected ? undefined : after.pairing,
    // By the group that the server tells even before its details are shown: no list is empty until then.
    isShown: isIn(group, naming?.group ?? after.report.details.group),
    status: keepIfEqual(before?.status, statusOf(after, now)),
  });
}

/** What is shown of a session from now on, and why. */
type Shown = Pick<Known, 'session' | 'details' | 'since' | 'cause'>;

/** Returns what is known after a change: what is left out was of the state before. */
function changeState(record: SessionRecord | undefined, shown: Shown) {
  const { session, since, cause } = shown;
  const isClosing = cause === 'closing';
  return {
    ...shown,
    stateSince: record?.session.state === session.state ? record.stateSince : since,
    code: codeAfter(record, shown),
    dropSeenAt: dropAfter(record, shown),
    failure: failureAfter(record?.failure, shown),
    beforeDeletion: isClosing ? sessionBefore(record) : undefined,
    // The deletion may be asked for once more.
    reportedAt: isClosing ? record?.reportedAt : undefined,
    // A code to type belongs to the start before, or its end was pushed to nobody.
    pairing: cause === 'started' || cause === 'listed' ? undefined : record?.pairing,
    lastMessage: record?.lastMessage,
  };
}

/** Returns the session before a change: that before a deletion, if it failed. */
function sessionBefore(record: SessionRecord | undefined): Session | undefined {
  return record?.beforeDeletion ?? record?.session;
}

export function codeAfter(record: SessionRecord | undefined, shown: Shown): Code | undefined {
  const { cause, details, since } = shown;
  const { qrCode } = shown.session;
  const code = record?.code;
  if (qrCode === undefined) return cause === 'started' ? undefined : code;
  const ref = qrCode.split(',')[0];
  // A code that comes again, by a push, a list or with another state, is as old as it was.
  if (code?.ref === ref) return code;
  const { codeExpires = 0 } = details;
  // The server gives the end of one code: a later code without an end lives as others do. A list may bring a code that is over.
  const isItsEnd = codeExpires > (cause === 'listed' ? 0 : since) && codeExpires !== code?.until;
  // In milliseconds, where the server does not tell: WhatsApp's own rhythm.
  const life = sessionBefore(record)?.qrCode === undefined ? 60_000 : 20_000;
  return { ref, at: since, until: isItsEnd ? codeExpires : since + life, pushed: cause === 'qr' };
}

function dropAfter(record: SessionRecord | undefined, shown: Shown): number | undefined {
  const { session, since } = shown;
  if (session.state === STATES.connected || isDoneBySomebody(shown)) return undefined;
  if (sessionBefore(record)?.state !== STATES.connected) return record?.dropSeenAt;
  return droppedAt(shown) ?? since;
}

/** A failed start remains failed until a push shows that the session is starting or has started. */
function failureAfter(failure: Failure | undefined, shown: Shown): Failure | undefined {
  const { state, qrCode } = shown.session;
  const isUp = state === STATES.connected || state === STATES.authenticating || qrCode !== undefined;
  return isUp || isDoneBySomebody(shown) || failure?.what === 'notDeleted' ? undefined : failure;
}

/** Whether somebody acted on the session, here or in another panel, where a change of state shows that. */
function isDoneBySomebody({ cause, session: { state }, details: { reason } }: Shown): boolean {
  const isElsewhere =
    cause === 'change_state' && (state === STATES.authenticating || state === STATES.closing);
  return cause === 'started' || cause === 'closing' || isElsewhere || reason?.code === 'unlinked';
}

/** What a session is called: by the operators, or else by its account. */
export function nameOf(record: SessionRecord | undefined): string | undefined {
  return record?.details.label ?? record?.details.name;
}

/** The name of a session, if it has one, and its numero. */
export function calledBy(record: SessionRecord): string {
  return [nameOf(record), record.session.numero].filter(Boolean).join(' ');
}

/** Whether the operator has started it, and the server may still answer in time. */
export function isStarting({ startAskedAt, status }: SessionRecord): boolean {
  return startAskedAt !== undefined && status.condition !== 'unanswered';
}
