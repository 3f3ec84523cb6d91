import { keepIfEqual } from '../observable.ts';
import type { Facts } from './facts.ts';
import type { Entry } from './history.ts';
import type { Details, LastMessage, Pairing, Session } from './session.ts';
import { CONDITIONS, FINDINGS, type Remedy, severityOf } from './states.ts';
import { needsAttention, type Status } from './status.ts';

/** The server's latest description of a session. */
export interface Report {
  readonly session: Session;
  readonly details: Details;
  /** When a push said so during a deletion, in milliseconds since 1970. */
  readonly at?: number | undefined;
}

/** What is known of one session. Never changed in place. */
export interface SessionRecord {
  readonly report: Report;
  /** The session as it is shown: as reported, unless its deletion is under way. */
  readonly session: Session;
  readonly facts: Facts;
  /** What it asks of the operator now. The same object until a field changes. */
  readonly status: Status;
  /** The last fifty things that happened to it, the oldest first. */
  readonly history: readonly Entry[];
  /** As they are shown. The same object until a field changes. */
  readonly details: Details;
  /** The code to type on the phone: until it is over, or the session is CONNECTED. */
  readonly pairing?: Pairing | undefined;
  /** The last test message that was accepted, where the server reports its delivery. */
  readonly lastMessage?: LastMessage | undefined;
}

/** Whether two records look the same: the server's description of a session that is being deleted is not shown. */
export function isShownAlike(one: SessionRecord, other: SessionRecord): boolean {
  return keepIfEqual(one, { ...other, report: one.report }) === one;
}

/** What a session is called: by the operators, or else by its account. */
export function nameOf(record: SessionRecord | undefined): string | undefined {
  const { label, name } = record?.details ?? {};
  return label ?? name;
}

/** The name of a session, if it has one, and its numero. */
export function calledBy(record: SessionRecord): string {
  return [nameOf(record), record.session.numero].filter(Boolean).join(' ');
}

/** The one next step of the operator. */
export function remedyFor({
  status,
  details,
}: Pick<SessionRecord, 'status' | 'details'>): Remedy | undefined {
  const { remedy } = CONDITIONS[status.condition];
  // The code ran out before the page was opened.
  return remedy === 'start' && details.reason?.code === 'not-scanned' ? 'newCode' : remedy;
}

/** Whether the operator has started it, and the server may still answer in time. */
export function isStarting({ facts, status }: SessionRecord): boolean {
  return facts.startAskedAt !== undefined && status.condition !== 'unanswered';
}

/** From the most urgent on. Those before `waiting` need attention. */
const URGENCIES = [
  'blocked',
  'restricted',
  'unlinked',
  'dropped',
  'stuck',
  'attention',
  'waiting',
  'ok',
] as const;

type Urgency = (typeof URGENCIES)[number];

/** By the codes of docs/reasons.md. An operator has unlinked a session with `unlinked`. */
const BY_REASON: ReadonlyMap<string | undefined, Urgency> = new Map([
  ['restricted', 'restricted'],
  ['banned', 'restricted'],
  ['logged-out', 'unlinked'],
  ['device-removed', 'unlinked'],
]);

function urgencyOf({ status, details }: SessionRecord): Urgency {
  const severity = severityOf(status.asks);
  if (severity !== 'attention') return severity;
  const { condition, droppedAt } = status;
  const byTime = Object.hasOwn(FINDINGS, condition) ? 'stuck' : 'attention';
  return (
    CONDITIONS[condition].urgency ??
    BY_REASON.get(details.reason?.code) ??
    (droppedAt === undefined ? byTime : 'dropped')
  );
}

/** The place of a session in the order of attention, as two numbers to compare, the smaller first. */
export function sortKeyOf(record: SessionRecord): readonly [urgency: number, age: number] {
  const { status, details, facts } = record;
  // The newest first; what nobody has to look at keeps the order of the server.
  const age = needsAttention(status) ? -(details.since ?? facts.stateSince) : 0;
  return [URGENCIES.indexOf(urgencyOf(record)), age];
}
